import { readFile } from 'node:fs/promises'

/** Linux reports processor time in hundredths of a second. */
const msPerTick = 10

/** Processor time that a process and its children have used, user and system, ms. @returns undefined without /proc */
export const cpuTimeMs = (pid: number) => sumOfGroup(pid, cpuTimeOf)

/** Memory that a process and its children hold, MiB. @returns undefined without /proc */
export const residentMib = (pid: number) => sumOfGroup(pid, residentOf)

async function sumOfGroup(
  pid: number,
  read: (pid: number) => Promise<number | undefined>,
): Promise<number | undefined> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const values = await Promise.all([pid, ...children.split(' ').filter(Boolean).map(Number)].map(read))
  return values.reduce((sum, value) => (sum === undefined || value === undefined ? undefined : sum + value))
}

async function cpuTimeOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  const fields = stat?.slice(stat.lastIndexOf(') ') + 2).split(' ')
  return fields && (Number(fields[11]) + Number(fields[12])) * msPerTick
}

async function residentOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  return kib === undefined ? undefined : Number(kib) / 1_024
}

/** Processor time since the machine started, over all cores and processes, ms. */
export async function machineCpuMs(): Promise<number | undefined> {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => undefined)
  const [user, nice = 0, system = 0, , , irq = 0, softirq = 0] =
    stat?.split('\n')[0]?.split(/\s+/).slice(1).map(Number) ?? []
  return user === undefined ? undefined : (user + nice + system + irq + softirq) * msPerTick
}
