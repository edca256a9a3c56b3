import { readdir, readFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { outputOf } from './output-of.ts'

/**
 * The start time of a process, which distinguishes it from a later process with the same pid.
 * @returns undefined when there is no such process
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (platform() !== 'linux') return askPs(pid, 'lstart=')
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name is in parentheses and may contain some itself, so count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  const startedAt = fields[19]
  if (!startedAt || state === 'Z') return undefined
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  return `${boot.trim()} ${startedAt}`
}

/** @returns the program and its arguments, or undefined when there is no such process */
export async function commandLine(pid: number): Promise<string | undefined> {
  if (platform() !== 'linux') return askPs(pid, 'command=')
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return line.replaceAll('\0', ' ').trim() || undefined
}

/** @returns the pids of all processes whose command line contains `text` */
export async function findProcesses(text: string): Promise<number[]> {
  if (platform() !== 'linux') {
    const lines = (await outputOf('ps', ['-ww', '-axo', 'pid=,command='])) ?? ''
    const found = lines.split('\n').filter((line) => line.includes(text))
    return found.map((line) => Number.parseInt(line, 10))
  }
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const lines = await Promise.all(pids.map(commandLine))
  return pids.filter((_, index) => lines[index]?.includes(text))
}

const askPs = async (pid: number, column: string): Promise<string | undefined> =>
  (await outputOf('ps', ['-o', column, '-p', String(pid)]))?.trim() || undefined
