import { join } from 'node:path'
import { root } from '#tools/root.ts'
import type { Command, Daemon } from './child.ts'

const exitWithParent = join(import.meta.dirname, 'exit-with-parent.js')

/** @returns the command for a Node script of a checkout, which ends when this process does */
export const scriptCommand = (script: string, args: readonly string[] = [], checkout = root) =>
  ({
    command: process.execPath,
    args: ['--import', exitWithParent, join(checkout, script), ...args],
    cwd: checkout,
    ipc: true,
  }) satisfies Partial<Command>

/** Describes a helper process of the launcher. @param readyLine part of the line that it prints once it is ready */
export const describeScript = (
  name: string,
  [script, ...args]: [string, ...string[]],
  readyLine: string,
  env?: NodeJS.ProcessEnv,
): Daemon => ({
  name,
  ...scriptCommand(script, args),
  env: { ...process.env, ...env },
  ready: (output) => output.some((line) => line.includes(readyLine)),
  readyWithinMs: 30_000,
  stopSignal: 'SIGTERM',
  stopWithinMs: 5_000,
})
