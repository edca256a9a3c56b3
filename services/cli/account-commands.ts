import { randomBytes } from 'node:crypto'
import { PlanName, plans } from '#schemas/plans.ts'
import type { InviteStore } from '#store/postgres/sign-in/invites.ts'
import { type AccountOverview, operator, type OperatorAccountStore } from '#store/postgres/operator-accounts.ts'
import type { PlanStore } from '#store/postgres/plans.ts'
import { CommandError } from './command-error.ts'
import { formatTable } from './table.ts'

export interface AccountCommandOptions {
  accounts: OperatorAccountStore
  subscriptions: PlanStore
  invites: InviteStore
  hashPassword(password: string): Promise<string>
}

export type AccountCommands = ReturnType<typeof createAccountCommands>

/** The operator's commands. Each returns what is to be printed. */
export function createAccountCommands(options: AccountCommandOptions) {
  const { accounts, subscriptions, invites, hashPassword } = options

  async function find(name: string): Promise<AccountOverview> {
    const account = await accounts.find(name)
    if (!account) throw new CommandError(`There is no account with the username or email address ${name}.`)
    return account
  }

  return {
    async list(): Promise<string> {
      const all = await accounts.list()
      return formatTable(
        all.map((account) => ({
          USERNAME: account.username,
          EMAIL: account.email,
          PLAN: account.plan,
          'PAID UNTIL': dateOf(account.planUntil),
          CREATED: dateOf(account.createdAt),
          'LAST SEEN': dateOf(account.lastSeenAt),
          STATE: stateOf(account),
        })),
      )
    },

    async show(name: string): Promise<string> {
      const account = await find(name)
      const facts = {
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
      }
      return formatTable(Object.entries(facts).map(([FACT, VALUE]) => ({ FACT, VALUE })))
    },

    async setPlan(name: string, plan: string): Promise<string> {
      const known = PlanName.safeParse(plan)
      if (!known.success) throw new CommandError(`There is no plan ${plan}. Plans: ${PlanName.options.join(', ')}.`)
      const { id, username } = await find(name)
      await subscriptions.set(id, known.data, operator)
      return `${username} has the ${plans[known.data].label} now, without an end.`
    },

    async disable(name: string): Promise<string> {
      const { id, username } = await find(name)
      const isNew = await accounts.disable(id)
      return isNew
        ? `${username} is disabled: signed out, and its tokens do not work.`
        : `${username} was disabled before.`
    },

    async enable(name: string): Promise<string> {
      const { id, username } = await find(name)
      const isNew = await accounts.enable(id)
      return isNew ? `${username} is enabled again.` : `${username} was not disabled.`
    },

    async setOperator(name: string, isOperator: boolean): Promise<string> {
      const { id, username } = await find(name)
      const isNew = await accounts.setOperator(id, isOperator)
      if (isOperator) return `${username} is ${isNew ? 'now' : 'already'} an operator of this server.`
      return isNew ? `${username} is no longer an operator.` : `${username} was not an operator.`
    },

    async resetPassword(name: string, { keepsTwoFactor }: { keepsTwoFactor: boolean }): Promise<string> {
      const { id, username } = await find(name)
      const password = randomBytes(15).toString('base64url')
      await accounts.resetPassword(id, await hashPassword(password), keepsTwoFactor)
      return `${username} is signed out everywhere. New password, shown this once:\n${password}`
    },

    async invite(email: string | undefined, validDays: number): Promise<string> {
      const code = await invites.create({ email, validDays })
      const whose = email ? ` for ${email}` : ''
      return `Invite code${whose}, valid for ${validDays} days and one account, shown this once:\n${code}`
    },
  }
}

const dateOf = (date: Date | null) => date?.toISOString().slice(0, 10) ?? '-'
const stateOf = ({ disabledAt }: AccountOverview) => (disabledAt ? `disabled since ${dateOf(disabledAt)}` : 'active')
