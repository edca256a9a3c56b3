import { afterAll, expect, test } from 'vitest'
import type { Redis } from '#core/redis/redis.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { createReplicatedRedis } from '#tools/stack/replicated-redis.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { Readiness } from '#core/process/readiness.ts'
import { openQueueConsumer, openQueueProducer, openStateRedis, openStateSubscriber } from '#core/redis/connections.ts'

const replicated = await createReplicatedRedis(
  findCommand(['redis-server', 'valkey-server'])!,
  temporaryFolder(afterAll),
)
await replicated.start()
afterAll(() => replicated.stop())

function openAll(url: string) {
  const connections = {
    state: openStateRedis({ redisStateUrl: url }, 1_000),
    subscriber: openStateSubscriber({ redisStateUrl: url }),
    producer: openQueueProducer({ redisQueueUrl: url }),
    consumer: openQueueConsumer({ redisQueueUrl: url }),
  }
  const all: Redis[] = Object.values(connections)
  for (const each of all) each.on('error', () => undefined)
  const readiness = new Readiness()
  readiness.addRedis('redis', connections.state)
  const close = () => all.forEach((each) => each.disconnect())
  return { ...connections, isReady: async () => (await readiness.check()).needs['redis'] === 'ok', close }
}

async function expectToServe({ state, subscriber, producer, consumer, isReady }: ReturnType<typeof openAll>) {
  await expect.poll(isReady).toBe(true)
  const received: string[] = []
  await subscriber.subscribe('news')
  subscriber.on('message', (_channel, message) => received.push(message))
  for (const each of [state, producer, consumer]) {
    await expect.poll(() => each.set('written', 'yes').catch(String)).toBe('OK')
  }
  await expect.poll(() => state.publish('news', 'hello').then(() => received.includes('hello'))).toBe(true)
}

test('row 26: with Sentinel, connections of every kind follow the master, there and back', async () => {
  const connections = openAll(replicated.url)
  await expectToServe(connections)
  for (let time = 0; time < 2; time += 1) {
    await replicated.failOver()
    await expectToServe(connections)
  }
  connections.close()
}, 240_000)

test('row 26: a server that becomes a replica is not ready until it is the master again', async () => {
  const [first, second] = replicated.servers
  const { hostname, port } = new URL(second.url)
  const connections = openAll(first.url)
  await expectToServe(connections)
  // Otherwise, Sentinel would revert the next command.
  await first.command('CLIENT', 'KILL', 'TYPE', 'replica')
  await first.command('REPLICAOF', hostname, port)
  await expect.poll(connections.isReady).toBe(false)
  await expect(connections.producer.set('written', 'yes')).rejects.toThrow()
  await first.command('REPLICAOF', 'NO', 'ONE')
  await expectToServe(connections)
  connections.close()
}, 60_000)
