/** `npm run dead-letters -- list|show ID|replay ID…|drop ID…` */
import { readConfigOrExit } from '#core/config.ts'
import { connectQueue } from '#shared/pipeline/connected-queue.ts'
import { createDeadLetters } from '#store/redis/dead-letters.ts'
import { runCommand } from './run-command.ts'
import { createDeadLetterCommandLine, type DeadLetterCommand } from './dead-letter-commands.ts'

async function run(command: DeadLetterCommand): Promise<void> {
  const { shards, disconnect } = await connectQueue(readConfigOrExit())
  const letters = createDeadLetters(shards)
  try {
    await command(letters)
  } finally {
    await letters.close()
    disconnect()
  }
}

await runCommand(() => createDeadLetterCommandLine(run).parseAsync())
