/** `npm run dead-letters -- list|show ID|replay ID…|drop ID…` */
import { readConfigOrExit } from '#core/config.ts'
import { messageOf } from '#core/errors.ts'
import { connectQueue } from '#shared/pipeline/connected-queue.ts'
import { createDeadLetters, type DeadLetters } from '#store/redis/dead-letters.ts'
import { type DeadLetterCommand, readDeadLetterCommand } from './dead-letter-command.ts'
import { formatTable } from './table.ts'

async function run(letters: DeadLetters, { action, ids }: DeadLetterCommand): Promise<void> {
  if (action === 'list') {
    const found = await letters.list({ offset: 0, limit: 1_000 })
    const rows = found.map(({ id, kind, events, failedAt, reason }) => ({
      ID: id,
      'FAILED AT': failedAt,
      KIND: kind,
      EVENTS: String(events),
      REASON: reason,
    }))
    return console.log(formatTable(rows))
  }
  const actions = { show: letters.get, replay: letters.requeue, drop: letters.drop }
  for (const id of ids) {
    const letter = await actions[action](id)
    if (!letter) {
      console.error(`There is no dead letter ${id}.`)
      process.exitCode = 1
    } else console.log(action === 'show' ? JSON.stringify(letter, null, 2) : `${id}: done`)
  }
}

const command = readDeadLetterCommand(process.argv.slice(2))
if (typeof command === 'string') {
  console.error(command)
  process.exit(1)
}
const { shards, disconnect } = await connectQueue(readConfigOrExit()).catch((error: unknown) => {
  console.error(messageOf(error))
  process.exit(1)
})
const letters = createDeadLetters(shards)
await run(letters, command)
await letters.close()
disconnect()
