import type { Command } from 'commander'
import { describeFailure } from '#core/describe-failure.ts'

export class CommandError extends Error {
  override readonly name = 'CommandError'
}

export async function runCommandLine(program: Command): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    console.error(error instanceof CommandError ? error.message : describeFailure(error))
    process.exitCode = 1
  }
}
