import { randomBytes } from 'node:crypto'
import { Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { PlanName } from '#schemas/plan-name.ts'
import { plans } from '#schemas/plans.ts'
import { hashPassword } from '#shared/passwords.ts'
import { type AccountOverview, operator, type OperatorAccountStore } from '#store/postgres/operator-accounts.ts'
import { CommandError } from './run-command.ts'
import { createAccount, type CreateAccountOptions, describeCreated } from './create-account.ts'
import type { AccountCommand } from './run-account-command.ts'
import { formatTable } from './table.ts'
import { toTokenRow } from './token-row.ts'

const parseEmail = parserOf(z.email(), 'This is not an email address.')
const parsePlan = parserOf(PlanName, `There is no such plan. Plans: ${PlanName.options.join(', ')}.`)
const parseDays = parserOf(z.coerce.number().int().min(1).max(365), 'Expected a whole number from 1 to 365.')

/** @param run opens the stores for a command; `--help` needs none */
export function createCommandLine(run: (command: AccountCommand) => Promise<void>): Command {
  const program = new Command('npm run accounts --')
    .description('Manage the accounts of this server. <name> is a username or an email address.')
    .showHelpAfterError()
  const accountCommand = (name: string, description: string) =>
    program.command(name).argument('<name>').description(description)
  program
    .command('list')
    .description('list all accounts')
    .action(() => run(async ({ accounts }) => formatTable((await accounts.list()).map(toListRow))))
  accountCommand(
    'show',
    'show one account; <name> can also be its id, or that of one of its provider keys or secure tokens',
  ).action((name: string) =>
    run(async ({ accounts }) => {
      const details = toDetails((await accounts.findOwner(name)) ?? (await find(accounts, name)))
      return formatTable(Object.entries(details).map(([FIELD, VALUE]) => ({ FIELD, VALUE })))
    }),
  )
  accountCommand('tokens', 'list its secure tokens, with their state and limits').action((name: string) =>
    run(async ({ accounts, tokens }) => {
      const { id } = await find(accounts, name)
      return formatTable((await tokens.list(id)).map(toTokenRow))
    }),
  )
  accountCommand('plan', 'put the account on a plan that has no end date')
    .argument('<plan>', 'free, basic, pro or enterprise', parsePlan)
    .action((name: string, plan: PlanName) =>
      run(async ({ accounts, subscriptions }) => {
        const { id, username } = await find(accounts, name)
        await subscriptions.set(id, plan, operator)
        return `${username} is now on the ${plans[plan].label}, with no end date.`
      }),
    )
  accountCommand(
    'disable',
    'sign the account out everywhere, and reject its sign-ins and tokens; nothing is deleted',
  ).action((name: string) =>
    run(async ({ accounts }) => {
      const { id, username } = await find(accounts, name)
      const isNew = await accounts.disable(id)
      return `${username} ${isNew ? 'is disabled: it is signed out everywhere, and its tokens are rejected' : 'was already disabled'}.`
    }),
  )
  accountCommand('enable', 'enable a disabled account again').action((name: string) =>
    run(async ({ accounts }) => {
      const { id, username } = await find(accounts, name)
      return `${username} ${(await accounts.enable(id)) ? 'is enabled again' : 'was not disabled'}.`
    }),
  )
  accountCommand('delete', 'delete the account permanently, with its keys, tokens and logs')
    .requiredOption('--yes', 'confirm: this cannot be undone')
    .action((name: string) =>
      run(async ({ accounts, accountStore }) => {
        const { id, username } = await find(accounts, name)
        await accountStore.remove(id, operator)
        return `${username} is deleted. A worker will delete its logs.`
      }),
    )
  accountCommand('operator', 'make it an operator, which lets it see the pipeline of the whole server')
    .option('--off', 'revoke its operator rights')
    .action((name: string, { off = false }: { off?: boolean }) =>
      run(async ({ accounts }) => {
        const { id, username } = await find(accounts, name)
        const isNew = await accounts.setOperator(id, !off)
        if (off) return `${username} ${isNew ? 'is no longer' : 'was not'} an operator.`
        return `${username} is ${isNew ? 'now' : 'already'} an operator of this server.`
      }),
    )
  accountCommand('reset-password', 'set a new password and print it')
    .option('--remove-two-factor', 'also disable two-factor sign-in')
    .action((name: string, { removeTwoFactor = false }: { removeTwoFactor?: boolean }) =>
      run(async ({ accounts }) => {
        const { id, username } = await find(accounts, name)
        const password = randomBytes(15).toString('base64url')
        await accounts.resetPassword(id, await hashPassword(password), !removeTwoFactor)
        return `${username} is signed out everywhere. New password, shown only once:\n${password}`
      }),
    )
  accountCommand('create', 'create an account, optionally with credentials, and print its password and secrets')
    .requiredOption('--email <email>', 'its email address')
    .option('--plan <plan>', 'free, basic, pro or enterprise', parsePlan)
    .option('--api-key-file <file>', 'file that contains its first provider key')
    .option('--token <name>', 'also create a secure token with this name')
    .option('--management-key <name>', 'also create a management key with this name and full access')
    .option('--json', 'print JSON')
    .action((username: string, { json = false, ...options }: CreateAccountOptions & { json?: boolean }) =>
      run(async (stores) => {
        const created = await createAccount(stores, username, options)
        return json ? JSON.stringify(created) : describeCreated(created)
      }),
    )
  program
    .command('invite')
    .argument('[email]', 'the only email address that may use the code', parseEmail)
    .option('--days <days>', 'days until the code expires, from 1 to 365', parseDays, 7)
    .description('create an invite code for one registration (REGISTRATION=invite)')
    .action((email: string | undefined, { days }: { days: number }) =>
      run(async ({ invites }) => {
        const code = await invites.create({ email, validDays: days })
        const recipient = email ? ` for ${email}` : ''
        return `Invite code${recipient}, valid for ${days === 1 ? 'a day' : `${days} days`} and one account, shown only once:\n${code}`
      }),
    )
  return program
}

function parserOf<T>(schema: z.ZodType<T>, message: string): (text: string) => T {
  return (text) => {
    const parsed = schema.safeParse(text)
    if (!parsed.success) throw new InvalidArgumentError(message)
    return parsed.data
  }
}

async function find(accounts: OperatorAccountStore, name: string): Promise<AccountOverview> {
  const account = await accounts.find(name)
  if (!account) throw new CommandError(`There is no account with the username or email address ${name}.`)
  return account
}

const toListRow = (account: AccountOverview) => ({
  USERNAME: account.username,
  EMAIL: account.email,
  PLAN: account.plan,
  'PAID UNTIL': dateOf(account.planUntil),
  CREATED: dateOf(account.createdAt),
  'LAST SEEN': dateOf(account.lastSeenAt),
  STATE: stateOf(account),
})

const toDetails = (account: AccountOverview) => ({
  Id: account.id,
  Username: account.username,
  Email: account.email,
  Plan: plans[account.plan].label,
  'Paid until': account.planUntil?.toISOString() ?? '-',
  Created: account.createdAt.toISOString(),
  'Last seen': account.lastSeenAt?.toISOString() ?? '-',
  State: stateOf(account),
  Operator: account.isOperator ? 'yes' : 'no',
  'Two-factor': account.hasTwoFactor ? 'on' : 'off',
  'API keys': String(account.keys),
  'Secure tokens': String(account.tokens),
  Sessions: String(account.sessions),
})

const dateOf = (date: Date | null) => date?.toISOString().slice(0, 10) ?? '-'
const stateOf = ({ disabledAt }: AccountOverview) => (disabledAt ? `disabled since ${dateOf(disabledAt)}` : 'active')
