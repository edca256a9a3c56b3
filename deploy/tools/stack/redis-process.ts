import { mkdirSync } from 'node:fs'
import { whenReady } from './when-ready.ts'
import { openQueueProducer } from '#core/redis/connections.ts'
import { findFreePort } from '#tools/process/free-port.ts'
import { createProcess, type ControlledProcess } from './controlled-process.ts'

export interface RedisProcess extends ControlledProcess {
  url: string
  dir: string
  command(name: string, ...words: string[]): Promise<unknown>
}

/**
 * Creates a Redis configured like the queue's: it writes to disk before it responds, and evicts nothing.
 * @param changes further settings, by their names in `redis.conf`
 */
export async function createRedisProcess(
  program: string,
  dir: string,
  changes: Record<string, string> = {},
): Promise<RedisProcess> {
  mkdirSync(dir, { recursive: true })
  const port = await findFreePort()
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir,
    save: '',
    appendonly: 'yes',
    appendfsync: 'always',
    'maxmemory-policy': 'noeviction',
    'enable-debug-command': 'yes',
    ...changes,
  }
  const redis = createProcess({
    name: 'Redis',
    command: program,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    ready: (output) => output.findLastIndex((line) => line.includes('Ready to accept')) >= 0,
    readyWithinMs: 30_000,
  })
  const url = `redis://127.0.0.1:${port}/0`
  return {
    ...redis,
    url,
    dir,
    command: (name, ...words) => sendCommand(url, name, ...words),
  }
}

/** @param url URL of a Redis or a Sentinel */
export async function sendCommand(url: string, name: string, ...words: string[]): Promise<unknown> {
  const client = openQueueProducer({ redisQueueUrl: url })
  client.on('error', () => undefined)
  await whenReady(client)
  try {
    return await client.call(name, ...words)
  } finally {
    client.disconnect()
  }
}
