import { mkdirSync } from 'node:fs'
import { execa } from 'execa'
import getPort from 'get-port'
import { createProcess, type FaultProcess } from './process.ts'

export interface RedisProcess extends FaultProcess {
  url: string
  dir: string
  /** Sends one command with `redis-cli`. */
  command(...words: string[]): Promise<string>
}

/** A Redis as the queue has it: every answer after its data is on disk, nothing evicted. */
export async function createRedisProcess(program: string, dir: string): Promise<RedisProcess> {
  mkdirSync(dir, { recursive: true })
  const port = await getPort({ host: '127.0.0.1' })
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir,
    save: '',
    appendonly: 'yes',
    appendfsync: 'always',
    'maxmemory-policy': 'noeviction',
    'enable-debug-command': 'yes',
  }
  const redis = createProcess({
    name: 'Redis',
    command: program,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    ready: (output) => output.findLastIndex((line) => line.includes('Ready to accept')) >= 0,
    readyWithinMs: 30_000,
  })
  return {
    ...redis,
    url: `redis://127.0.0.1:${port}/0`,
    dir,
    command: async (...words) => (await execa('redis-cli', ['-p', String(port), ...words], { reject: false })).stdout,
  }
}
