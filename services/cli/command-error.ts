import type { Command } from 'commander'
import { Problem } from '#core/problem.ts'

export class CommandError extends Error {
  override readonly name = 'CommandError'
}

export async function runCommandLine(program: Command): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    console.error(error instanceof CommandError || error instanceof Problem ? error.message : error)
    process.exitCode = 1
  }
}
