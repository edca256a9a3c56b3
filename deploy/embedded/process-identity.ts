import { readFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { execa } from 'execa'

/**
 * What tells a process from a later one that got the same pid: when it was started, as the kernel says.
 * @returns undefined when there is no such process (any more)
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (platform() !== 'linux') return askPs(pid, 'lstart=')
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name is in parentheses and may hold anything, so count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  const startedAt = fields[19]
  if (!startedAt || state === 'Z') return undefined
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  return `${boot.trim()} ${startedAt}`
}

/** @returns program and arguments, undefined when there is no such process */
export async function commandLine(pid: number): Promise<string | undefined> {
  if (platform() !== 'linux') return askPs(pid, 'command=')
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return line.replaceAll('\0', ' ').trim() || undefined
}

async function askPs(pid: number, column: string): Promise<string | undefined> {
  const { exitCode, stdout } = await execa('ps', ['-o', column, '-p', String(pid)], { reject: false })
  return exitCode === 0 ? stdout.trim() || undefined : undefined
}
