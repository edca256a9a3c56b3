import type { Command } from 'commander'

export class CommandError extends Error {
  override readonly name = 'CommandError'
}

export async function runCommandLine(program: Command): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    console.error(error instanceof CommandError ? error.message : error)
    process.exitCode = 1
  }
}
