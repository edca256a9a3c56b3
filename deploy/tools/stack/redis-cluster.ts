import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRedisProcess, type RedisProcess } from './redis-process.ts'

/** The slots of every Redis Cluster. */
const slots = Array.from({ length: 16_384 }, (_, slot) => String(slot))

interface RedisCluster {
  url: string
  nodes: readonly RedisProcess[]
  nodeOf(slot: number): RedisProcess
  stop(): Promise<void>
}

const knowsAllSlots = async (node: RedisProcess) =>
  String(await node.command('CLUSTER', 'INFO')).includes(`cluster_slots_ok:${slots.length}`)

/** Starts a Redis Cluster of three masters that share all slots. If one is down, the others keep working. */
export async function startRedisCluster(program: string, folder: string): Promise<RedisCluster> {
  const settings = { 'cluster-enabled': 'yes', 'cluster-node-timeout': '2000', 'cluster-require-full-coverage': 'no' }
  const nodes: RedisProcess[] = []
  for (let at = 0; at < 3; at += 1) nodes.push(await createRedisProcess(program, join(folder, `node-${at}`), settings))
  await Promise.all(nodes.map((node) => node.start()))
  const [{ port }, ...others] = nodes.map(({ url }) => new URL(url)) as [URL, ...URL[]]
  const nodeOf = (slot: number) => nodes[slot % nodes.length]!
  for (const node of nodes)
    await node.command('CLUSTER', 'ADDSLOTS', ...slots.filter((slot) => nodeOf(Number(slot)) === node))
  for (const other of others) await nodes[0]!.command('CLUSTER', 'MEET', '127.0.0.1', other.port)
  while (!(await Promise.all(nodes.map(knowsAllSlots))).every(Boolean)) await sleep(50)
  return {
    url: `redis+cluster://127.0.0.1:${port}`,
    nodes,
    nodeOf,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}
