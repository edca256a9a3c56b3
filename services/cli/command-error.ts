import type { Command } from 'commander'

/** A request of the operator that can't be fulfilled; the message says why. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** Runs what the process was started with; an error sets the exit code. */
export async function runCommandLine(program: Command): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    console.error(error instanceof CommandError ? error.message : error)
    process.exitCode = 1
  }
}
