import { describeFailure } from '#core/describe-failure.ts'

export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** Runs a command. A failure is printed, and sets the exit code to 1. */
export async function runCommand(run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    console.error(error instanceof CommandError ? error.message : describeFailure(error))
    process.exitCode = 1
  }
}
