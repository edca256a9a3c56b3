import { randomBytes } from 'node:crypto'
import { Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { PlanName } from '#schemas/plan-name.ts'
import { plans } from '#schemas/plans.ts'
import { hashPassword } from '#shared/passwords.ts'
import { type AccountOverview, operator, type OperatorAccountStore } from '#store/postgres/operator-accounts.ts'
import type { SecureTokenStore } from '#store/postgres/credentials/secure-tokens.ts'
import type { PlanStore } from '#store/postgres/plans.ts'
import type { InviteStore } from '#store/postgres/sign-in/invites.ts'
import { CommandError } from './run-command.ts'
import {
  createAccount,
  type CreateAccountOptions,
  type CreateAccountStores,
  describeCreated,
} from './create-account.ts'
import { formatTable } from './table.ts'
import { toTokenRow } from './token-row.ts'

const parseEmail = parserOf(z.email(), 'not an email address')
const parsePlan = parserOf(PlanName, `There is no such plan. Plans: ${PlanName.options.join(', ')}.`)
const parseDays = parserOf(z.coerce.number().int().min(1).max(365), 'a number of days from 1 to 365')

/** @returns the text to print */
export type AccountCommand = (stores: {
  accounts: OperatorAccountStore
  tokens: Pick<SecureTokenStore, 'list'>
  subscriptions: PlanStore
  invites: InviteStore
  creation: CreateAccountStores
  /** Deletes an account with everything that belongs to it. */
  remove(accountId: string): Promise<void>
}) => Promise<string>

/** @param run opens the stores for a command; `--help` needs none */
export function createCommandLine(run: (command: AccountCommand) => Promise<void>): Command {
  const program = new Command('npm run accounts --')
    .description('Manage the accounts of this server. NAME is a username or an email address.')
    .showHelpAfterError()
  const accountCommand = (name: string, description: string) =>
    program.command(name).argument('<name>').description(description)
  program
    .command('list')
    .description('all accounts')
    .action(() => run(async ({ accounts }) => formatTable((await accounts.list()).map(toListRow))))
  accountCommand('show', 'one account, also by id: its own, or that of a provider key or token').action(
    (name: string) =>
      run(async ({ accounts }) => {
        const details = toDetails((await accounts.findOwner(name)) ?? (await find(accounts, name)))
        return formatTable(Object.entries(details).map(([FACT, VALUE]) => ({ FACT, VALUE })))
      }),
  )
  accountCommand('tokens', 'its secure tokens: whether they work, and what they are limited to').action(
    (name: string) =>
      run(async ({ accounts, tokens }) => {
        const { id } = await find(accounts, name)
        return formatTable((await tokens.list(id)).map(toTokenRow))
      }),
  )
  accountCommand('plan', 'set a plan without an end date')
    .argument('<plan>', 'free, basic, pro or enterprise', parsePlan)
    .action((name: string, plan: PlanName) =>
      run(async ({ accounts, subscriptions }) => {
        const { id, username } = await find(accounts, name)
        await subscriptions.set(id, plan, operator)
        return `${username} has the ${plans[plan].label} now, without an end.`
      }),
    )
  accountCommand('disable', 'end its sessions, reject its sign-ins and tokens; nothing is deleted').action(
    (name: string) =>
      run(async ({ accounts }) => {
        const { id, username } = await find(accounts, name)
        const isNew = await accounts.disable(id)
        return `${username} ${isNew ? 'is disabled: signed out, and its tokens do not work' : 'was disabled before'}.`
      }),
  )
  accountCommand('enable', 'let a disabled account in again').action((name: string) =>
    run(async ({ accounts }) => {
      const { id, username } = await find(accounts, name)
      return `${username} ${(await accounts.enable(id)) ? 'is enabled again' : 'was not disabled'}.`
    }),
  )
  accountCommand('delete', 'delete it for good, with its keys, tokens and logs')
    .requiredOption('--yes', 'confirm: this cannot be undone')
    .action((name: string) =>
      run(async ({ accounts, remove }) => {
        const { id, username } = await find(accounts, name)
        await remove(id)
        return `${username} is deleted. A worker deletes its logs.`
      }),
    )
  accountCommand('operator', 'let it see the pipeline of the whole server')
    .option('--off', 'revoke this')
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
        return `${username} is signed out everywhere. New password, shown this once:\n${password}`
      }),
    )
  accountCommand('create', 'create an account, optionally with credentials, and print its secrets')
    .requiredOption('--email <email>', 'its email address')
    .option('--plan <plan>', 'free, basic, pro or enterprise', parsePlan)
    .option('--api-key-file <file>', 'file with its first provider key')
    .option('--token <name>', 'its first secure token')
    .option('--management-key <name>', 'a key for scripts, for all areas')
    .option('--json', 'print JSON')
    .action((username: string, { json = false, ...options }: CreateAccountOptions & { json?: boolean }) =>
      run(async ({ creation }) => {
        const created = await createAccount(creation, username, options)
        return json ? JSON.stringify(created) : describeCreated(created)
      }),
    )
  program
    .command('invite')
    .argument('[email]', 'only this address may use it', parseEmail)
    .option('--days <days>', 'how long it is valid', parseDays, 7)
    .description('create an invite code for one registration (REGISTRATION=invite)')
    .action((email: string | undefined, { days }: { days: number }) =>
      run(async ({ invites }) => {
        const code = await invites.create({ email, validDays: days })
        const recipient = email ? ` for ${email}` : ''
        return `Invite code${recipient}, valid for ${days} days and one account, shown this once:\n${code}`
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
