import { Command } from 'commander'
import type { DeadLetter } from '#schemas/pipeline.ts'
import type { DeadLetters } from '#store/redis/dead-letters.ts'
import { formatTable } from './table.ts'

export type DeadLetterCommand = (letters: DeadLetters) => Promise<void>

const actions = [
  ['show', 'get', 'show their events, and why each could not be stored'],
  ['replay', 'requeue', 'put them back into the pipeline'],
  ['drop', 'drop', 'delete them permanently; their events are lost'],
] as const

/** @param run connects to the queue for a command; `--help` needs no connection */
export function createDeadLetterCommandLine(run: (command: DeadLetterCommand) => Promise<void>): Command {
  const program = new Command('npm run dead-letters --')
    .description('Manage dead letters: events and batches that could not be stored.')
    .showHelpAfterError()
  program
    .command('list')
    .description('list the dead letters, oldest first, up to 1,000')
    .action(() =>
      run(async (letters) => console.log(formatTable((await letters.list({ offset: 0, limit: 1_000 })).map(toRow)))),
    )
  for (const [name, act, description] of actions) {
    program
      .command(name)
      .argument('<id...>')
      .description(description)
      .action((ids: string[]) =>
        run(async (letters) => {
          for (const id of ids) {
            const letter = await letters[act](id)
            if (letter) console.log(letter === true ? `${id}: done` : JSON.stringify(letter, null, 2))
            else {
              console.error(`There is no dead letter ${id}.`)
              process.exitCode = 1
            }
          }
        }),
      )
  }
  return program
}

const toRow = ({ id, kind, events, failedAt, reason }: DeadLetter) => ({
  ID: id,
  'FAILED AT': failedAt,
  KIND: kind,
  EVENTS: String(events),
  REASON: reason,
})
