import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'
import type { Command } from '#tools/process/child.ts'
import { findCommand } from '#tools/process/find-command.ts'

/** Runs a command on the core of the measured process, or where the system likes. */
export type Pin = <Started extends Pick<Command, 'command' | 'args'>>(command: Started) => Started

/**
 * Keeps this process, and all that it starts, off the first core, which belongs to the measured process alone: where they
 * share cores, a proxy that leaves more to the load generator looks slower than it is.
 * @returns undefined where a core can't be had for it
 */
export async function reserveCore(): Promise<Pin | undefined> {
  const taskset = findCommand(['taskset'])
  const last = availableParallelism() - 1
  if (!taskset || last < 1) return undefined
  await promisify(execFile)(taskset, ['--all-tasks', '--cpu-list', '--pid', `1-${last}`, String(process.pid)])
  return (started) => ({ ...started, command: taskset, args: ['--cpu-list', '0', started.command, ...started.args] })
}
