import { Command } from 'commander'
import type { ProcessReports } from '#store/redis/process-reports.ts'
import { CommandError } from './run-command.ts'
import { formatTable } from './table.ts'

/** @returns the text to print */
export type PipelineCommand = (reports: ProcessReports) => Promise<string>

/** @param run connects to the queue for a command; `--help` needs no connection */
export function createPipelineCommandLine(run: (command: PipelineCommand) => Promise<void>): Command {
  const program = new Command('npm run pipeline --')
    .description('Manage the log pipeline: events in transit and lost events.')
    .showHelpAfterError()
  program
    .command('proxies')
    .description('list all proxies, with the number of events in their spools')
    .action(() =>
      run(async (reports) => {
        const [proxies, writtenOff] = await Promise.all([reports.proxies(), reports.writtenOff()])
        return formatTable([
          ...proxies.map((proxy) => toRow(proxy, proxy.spooledEvents, proxy.isSilent ? 'silent' : 'reporting')),
          ...writtenOff.map((proxy) => toRow(proxy, proxy.events, `written off at ${proxy.writtenOffAt}`)),
        ])
      }),
    )
  program
    .command('write-off')
    .argument('<id>')
    .description(
      'write off a proxy whose disk is lost, with the events in its spool; the pipeline stops waiting for them',
    )
    .action((id: string) =>
      run(async (reports) => {
        const lost = await reports.writeOff(id)
        if (lost === 'unknown')
          throw new CommandError(
            `There is no proxy ${id} that is running or whose spool is still waiting to be shipped.`,
          )
        if (lost === 'alive') throw new CommandError(`Proxy ${id} was seen within the last minute: it is not lost.`)
        return `Proxy ${id} on ${lost.host} is written off, with ${lost.events} events that will never be stored.`
      }),
    )
  program
    .command('reconcile')
    .argument('<difference>')
    .description('reconcile the difference shown on the Pipeline screen, once you know its cause')
    .allowUnknownOption() // A number such as -7643 looks like an option.
    .action((difference: string) =>
      run(async (reports) => {
        const number = Number(difference)
        if (!Number.isSafeInteger(number) || number === 0)
          throw new CommandError(`${difference} is not a difference: expected a whole number other than 0.`)
        return `A difference of ${number} is reconciled; all reconciled differences add up to ${await reports.reconcile(number)}.`
      }),
    )
  return program
}

const toRow = (proxy: { id: string; host: string; pid: number; at: string }, waitingEvents: number, state: string) => ({
  ID: proxy.id,
  HOST: proxy.host,
  PID: String(proxy.pid),
  'LAST SEEN': proxy.at,
  'WAITING EVENTS': String(waitingEvents),
  STATE: state,
})
