import { readdir, readFile } from 'node:fs/promises'

/** Linux reports CPU time in hundredths of a second. */
const msPerTick = 10

/** CPU time of a process and its descendants, user and system, ms. @returns undefined without /proc */
export const cpuTimeMs = (pid: number) => sumOfTree(pid, cpuTimeOf)

/** Memory of a process and its descendants, MiB; shared memory counts for each. @returns undefined without /proc */
export const residentMib = (pid: number) => sumOfTree(pid, (each) => fieldOf(each, 'status', 'VmRSS').then(mibOf))

/** The same, but shared memory counts once. */
export const proportionalMib = (pid: number) =>
  sumOfTree(pid, (each) => fieldOf(each, 'smaps_rollup', 'Pss').then(mibOf))

/** Threads of a process and its descendants. @returns undefined without /proc */
export const threadsOf = (pid: number) => sumOfTree(pid, (each) => fieldOf(each, 'status', 'Threads'))

/** Files and sockets that a process and its descendants have open. @returns undefined without /proc */
export const openFilesOf = (pid: number) =>
  sumOfTree(pid, async (each) => (await readdir(`/proc/${each}/fd`).catch(() => undefined))?.length)

async function sumOfTree(pid: number, read: (pid: number) => Promise<number | undefined>): Promise<number | undefined> {
  const values = await Promise.all((await treeOf(pid)).map(read))
  return values.reduce((sum, value) => (sum === undefined || value === undefined ? undefined : sum + value))
}

/** A process and its descendants. */
async function treeOf(pid: number): Promise<number[]> {
  const trees = await Promise.all((await childrenOf(pid)).map(treeOf))
  return [pid, ...trees.flat()]
}

export async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return children.split(' ').filter(Boolean).map(Number)
}

async function cpuTimeOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  const fields = stat?.slice(stat.lastIndexOf(') ') + 2).split(' ')
  return fields && (Number(fields[11]) + Number(fields[12])) * msPerTick
}

/** @returns the number in a line such as `VmRSS:   1024 kB` */
async function fieldOf(pid: number, file: 'status' | 'smaps_rollup', name: string): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
  const value = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]
  return value === undefined ? undefined : Number(value)
}

const mibOf = (kib: number | undefined) => kib && kib / 1_024

/** CPU time since boot, over all cores and processes, ms. */
export async function machineCpuMs(): Promise<number | undefined> {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => undefined)
  const [user, nice = 0, system = 0, , , irq = 0, softirq = 0] =
    stat?.split('\n')[0]?.split(/\s+/).slice(1).map(Number) ?? []
  return user === undefined ? undefined : (user + nice + system + irq + softirq) * msPerTick
}
