import { Command } from 'commander'
import { describeFailure } from '#core/describe-failure.ts'
import { codeOf } from '#core/errors.ts'

export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** Runs a command. A failure is printed, and sets the exit code to 1. */
export async function runCommand(run: () => Promise<unknown>): Promise<void> {
  // A reader such as `head` may leave; the rest of the work is done all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)
  try {
    await run()
  } catch (error) {
    console.error(error instanceof CommandError ? error.message : describeFailure(error))
    process.exitCode = 1
  }
}

/** Runs a command that has only `--help`: any other argument, such as `--dry-run`, is a mistake, and nothing is done. */
export const runPlainCommand = (name: string, description: string, run: () => Promise<void>): Promise<void> =>
  runCommand(() => new Command(name).description(description).showHelpAfterError().action(run).parseAsync())

function ignoreClosedPipe(error: Error): void {
  if (codeOf(error) !== 'EPIPE') throw error
}
