import { availableParallelism } from 'node:os'
import { execa } from 'execa'
import type { Command } from '#tools/process/child.ts'
import { findCommand } from '#tools/process/find-command.ts'

/** Runs a command on the core of the measured process, or wherever the system schedules it. */
export type Pin = <Started extends Pick<Command, 'command' | 'args'>>(command: Started) => Started

/**
 * Keeps this process and its children off the first core, which is reserved for the measured process: on shared cores,
 * a proxy that leaves more CPU to the load generator looks slower than it is.
 * @returns undefined if no core can be reserved
 */
export async function reserveCore(): Promise<Pin | undefined> {
  const taskset = findCommand(['taskset'])
  const last = availableParallelism() - 1
  if (!taskset || last < 1) return undefined
  await execa(taskset, ['--all-tasks', '--cpu-list', '--pid', `1-${last}`, String(process.pid)])
  return (started) => ({ ...started, command: taskset, args: ['--cpu-list', '0', started.command, ...started.args] })
}
