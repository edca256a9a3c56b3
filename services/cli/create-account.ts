import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import { Register } from '#schemas/account.ts'
import { CreateApiKey } from '#schemas/api-keys.ts'
import { managementAreas, maxManagementKeyDays, NewManagementKey } from '#schemas/management-keys.ts'
import type { PlanName } from '#schemas/plan-name.ts'
import { CreateSecureToken } from '#schemas/secure-tokens.ts'
import { maskSecret } from '#schemas/secrets.ts'
import { hashPassword } from '#shared/passwords.ts'
import { apiKeyContext } from '#store/postgres/credentials/api-keys.ts'
import { newTokenSecret } from '#store/postgres/credentials/new-token-secret.ts'
import { noRestrictions } from '#store/postgres/credentials/secure-tokens.ts'
import { operator } from '#store/postgres/operator-accounts.ts'
import type { AccountStores } from './run-account-command.ts'
import { CommandError } from './run-command.ts'

export interface CreateAccountOptions {
  email: string
  plan?: PlanName
  apiKeyFile?: string
  /** Name of a secure token. */
  token?: string
  /** Name of a management key with full access. */
  managementKey?: string
}

/** Everything that a client needs, unmasked; none of the secrets is shown again. */
interface CreatedAccount {
  id: string
  username: string
  password: string
  token: string | null
  managementKey: string | null
}

const defaultName = 'Default'

/** Creates an account with its credentials. @throws CommandError for input that the screens would reject */
export async function createAccount(
  stores: AccountStores,
  username: string,
  options: CreateAccountOptions,
): Promise<CreatedAccount> {
  const { accountStore, subscriptions, managementKeys, baseUrl } = stores
  const password = randomBytes(15).toString('base64url')
  const account = parse(Register, { username, email: options.email, password })
  const providerKey = await readApiKey(options.apiKeyFile)
  // Before the account exists: after a failure, nobody would learn its password.
  const tokenName = parse(CreateSecureToken.shape.name.optional(), options.token)
  const keyName = parse(NewManagementKey.shape.name.optional(), options.managementKey)
  const { id } = await accountStore.create(
    { ...account, firstName: null, lastName: null, passwordHash: await hashPassword(password), baseUrl },
    operator,
  )
  if (options.plan) await subscriptions.set(id, options.plan, operator)
  if (providerKey) await addApiKey(stores, id, providerKey)
  const token = tokenName === undefined ? null : await addToken(stores, id, tokenName)
  const scopes = managementAreas.map((area) => `${area}:write` as const)
  const created =
    keyName === undefined
      ? null
      : await managementKeys.create(id, { name: keyName, scopes, days: maxManagementKeyDays }, operator)
  return { id, username: account.username, password, token, managementKey: created?.key ?? null }
}

async function readApiKey(file: string | undefined) {
  if (file === undefined) return undefined
  const key = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandError(`The provider key cannot be read: ${error.message}`)
  })
  return parse(CreateApiKey, { name: defaultName, key }).key
}

async function addApiKey({ apiKeys, vault, baseUrl }: AccountStores, accountId: string, key: string) {
  const [id, { origin }] = [uuidv7(), new URL(baseUrl)]
  const sealedKey = vault.seal(key, apiKeyContext(accountId, id, origin))
  const row = { id, name: defaultName, origin, sealedKey, maskedKey: maskSecret(key), isPrimary: true }
  await apiKeys.create(accountId, row, operator)
}

async function addToken({ tokens, vault }: AccountStores, accountId: string, name: string): Promise<string> {
  const id = uuidv7()
  const { token, secret } = newTokenSecret(vault, accountId, id)
  await tokens.create(accountId, { ...noRestrictions, ...secret, id, name, expiresAt: null }, operator)
  return token
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new CommandError(parsed.error.issues.map(({ message }) => message).join(' '))
  return parsed.data
}

export function describeCreated({ id, username, password, token, managementKey }: CreatedAccount): string {
  const secrets = [
    `Password        ${password}`,
    ...(token ? [`Secure token    ${token}`] : []),
    ...(managementKey ? [`Management key  ${managementKey}`] : []),
  ]
  return [`${username} is created (${id}). Its secrets, shown only once:`, ...secrets].join('\n')
}
