import { Command } from 'commander'
import type { ProcessReports } from '#store/redis/process-reports.ts'
import { CommandError } from './command-error.ts'
import { formatTable } from './table.ts'

/** The operator's commands for the log pipeline. Each returns what is to be printed. */
export const createPipelineCommands = (reports: ProcessReports) => ({
  async proxies(): Promise<string> {
    const [speaking, lost] = await Promise.all([reports.proxies(), reports.writtenOff()])
    return formatTable([
      ...speaking.map(({ isSilent, spooledEvents, ...proxy }) => ({
        ...nameOf(proxy),
        'WAITING EVENTS': String(spooledEvents),
        STATE: isSilent ? 'silent' : 'reports',
      })),
      ...lost.map(({ events, writtenOffAt, ...proxy }) => ({
        ...nameOf(proxy),
        'WAITING EVENTS': String(events),
        STATE: `written off at ${writtenOffAt}`,
      })),
    ])
  },

  async writeOff(id: string): Promise<string> {
    const lost = await reports.writeOff(id)
    if (lost === 'unknown') throw new CommandError(`There is no proxy ${id} that something waits for.`)
    if (lost === 'alive') throw new CommandError(`Proxy ${id} spoke within the last minute: it is not lost.`)
    return `Proxy ${id} of ${lost.host} is written off, and with it ${lost.events} events that nobody will store.`
  },

  async reconcile(difference: string): Promise<string> {
    const number = Number(difference)
    if (!Number.isSafeInteger(number) || number === 0) throw new CommandError(`${difference} is no difference.`)
    return `The difference of ${number} is settled; ${await reports.reconcile(number)} in all.`
  },
})

export type PipelineCommands = ReturnType<typeof createPipelineCommands>

/** @param run gets the command to run: only then the queue is needed, not for `--help` */
export function createPipelineCommandLine(
  run: (command: (commands: PipelineCommands) => Promise<string>) => Promise<void>,
): Command {
  const program = new Command('npm run pipeline --')
    .description('Look after the log pipeline: what proxies hold, and what is lost.')
    .showHelpAfterError()
  program
    .command('proxies')
    .description('all proxies, with what waits in their spools')
    .action(() => run((commands) => commands.proxies()))
  program
    .command('write-off')
    .argument('<id>')
    .description('give up a proxy whose disk is gone, with what its spool held; nothing waits for it any more')
    .action((id: string) => run((commands) => commands.writeOff(id)))
  program
    .command('reconcile')
    .argument('<difference>')
    .description('settle the difference that the screen Pipeline shows, when you know why it stays')
    .allowUnknownOption() // -7643 is a number here
    .action((difference: string) => run((commands) => commands.reconcile(difference)))
  return program
}

const nameOf = ({ id, host, pid, at }: { id: string; host: string; pid: number; at: string }) => ({
  ID: id,
  HOST: host,
  PID: String(pid),
  'LAST SPOKE': at,
})
