import { z } from 'zod'

/** The parts of a `.cpuprofile` that are used here. Times in µs. */
export const CpuProfile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
      children: z.array(z.number()).default([]),
    }),
  ),
  /** The node that was running at each sample. */
  samples: z.array(z.number()),
  /** The time before each sample. */
  timeDeltas: z.array(z.number()),
})
type CpuProfile = z.infer<typeof CpuProfile>
type CallFrame = CpuProfile['nodes'][number]['callFrame']

const ofV8: Record<string, string> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'native code',
  writev: 'writes to sockets and files',
  writeBuffer: 'writes to sockets and files',
  writeUtf8String: 'writes to sockets and files',
  writeLatin1String: 'writes to sockets and files',
}

const ofUrls: readonly [RegExp, (match: RegExpExecArray) => string][] = [
  [/\/node_modules\/(undici|fastify)\//, ([, name = '']) => name],
  [/\/node_modules\/find-my-way\//, () => 'fastify'],
  [/^node:(_http|net)/, () => 'node:http, node:net'],
  [/\/services\/(\w+\/[\w-]+)/, ([, room = '']) => room],
  [/\/schemas\//, () => 'schemas'],
  [/\/bare-proxy\.ts$/, () => 'the bare proxy itself'],
]

/** How much of a process's busy time each part of its code took, 0 to 1. Libraries count for the part that calls them. */
export function shareByPart({ nodes, samples, timeDeltas }: CpuProfile): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const partById = new Map<number, string>()
  const visit = (id: number, caller: string) => {
    const node = byId.get(id)
    if (!node) return
    const part = partOf(node.callFrame) ?? caller
    partById.set(id, part)
    for (const child of node.children) visit(child, part)
  }
  visit(nodes[0]?.id ?? 0, 'event loop, streams, timers')

  const times = new Map<string, number>()
  let busy = 0
  for (const [at, id] of samples.entries()) {
    const time = timeDeltas[at] ?? 0
    if (byId.get(id)?.callFrame.functionName === '(idle)') continue
    const part = partById.get(id) ?? 'native code'
    times.set(part, (times.get(part) ?? 0) + time)
    busy += time
  }
  return new Map([...times].map(([part, time]) => [part, time / busy]))
}

function partOf({ functionName, url }: CallFrame): string | undefined {
  if (url === '') return ofV8[functionName]
  for (const [pattern, name] of ofUrls) {
    const match = pattern.exec(url)
    if (match) return name(match)
  }
  return undefined
}
