import { Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import type { AccountCommands } from './account-commands.ts'

const parseEmail = parserOf(z.email(), 'not an email address')
const parseDays = parserOf(z.coerce.number().int().min(1).max(365), 'a number of days from 1 to 365')

/** @param run gets the command to run: only then connections are needed, not for `--help` */
export function createCommandLine(
  run: (command: (commands: AccountCommands) => Promise<string>) => Promise<void>,
): Command {
  const program = new Command('npm run accounts --')
    .description('Look after the accounts of this server. NAME is a username or an email address.')
    .showHelpAfterError()
  program
    .command('list')
    .description('all accounts')
    .action(() => run((commands) => commands.list()))
  program
    .command('show')
    .argument('<name>')
    .description('one account')
    .action((name: string) => run((commands) => commands.show(name)))
  program
    .command('plan')
    .argument('<name>')
    .argument('<plan>', 'free, basic, pro or enterprise')
    .description('give a plan, without an end')
    .action((name: string, plan: string) => run((commands) => commands.setPlan(name, plan)))
  program
    .command('disable')
    .argument('<name>')
    .description('end its sessions, refuse its sign-ins and tokens; nothing is deleted')
    .action((name: string) => run((commands) => commands.disable(name)))
  program
    .command('enable')
    .argument('<name>')
    .description('let a disabled account in again')
    .action((name: string) => run((commands) => commands.enable(name)))
  program
    .command('operator')
    .argument('<name>')
    .option('--off', 'take that back')
    .description('let it see the pipeline of the whole server')
    .action((name: string, { off = false }: { off?: boolean }) => run((commands) => commands.setOperator(name, !off)))
  program
    .command('reset-password')
    .argument('<name>')
    .option('--remove-two-factor', 'for who lost the second factor as well')
    .description('set a new password and print it')
    .action((name: string, { removeTwoFactor = false }: { removeTwoFactor?: boolean }) =>
      run((commands) => commands.resetPassword(name, { keepsTwoFactor: !removeTwoFactor })),
    )
  program
    .command('invite')
    .argument('[email]', 'only this address may use it', parseEmail)
    .option('--days <days>', 'how long it is valid', parseDays, 7)
    .description('make an invite code for one registration (REGISTRATION=invite)')
    .action((email: string | undefined, { days }: { days: number }) => run((commands) => commands.invite(email, days)))
  return program
}

function parserOf<T>(schema: z.ZodType<T>, message: string): (text: string) => T {
  return (text) => {
    const parsed = schema.safeParse(text)
    if (!parsed.success) throw new InvalidArgumentError(message)
    return parsed.data
  }
}
