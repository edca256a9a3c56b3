import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase, createTestRedis } from '#tools/test/stores.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { readConfig } from '#core/config.ts'
import { onInvalidation } from '#shared/invalidation.ts'
import { openStateSubscriber } from '#core/redis/connections.ts'
import { insertAccount, invalidateNothing } from '#store/postgres/account.fixture.ts'
import { createAccountStore } from '#store/postgres/accounts.ts'
import { createCredentialStore } from '#store/postgres/credentials/credentials.ts'
import { verifyPassword } from '#shared/passwords.ts'
import { hashToken } from '#shared/secure-token.ts'
import { createManagementKeyStore } from '#store/postgres/sign-in/management-keys.ts'
import { createCommandLine } from './command-line.ts'
import { runAccountCommand } from './run-account-command.ts'
import { parseHere, runCommand } from './run-command.fixture.ts'

const { sql, url, drop } = await createTestDatabase()
const redis = await createTestRedis()
afterAll(drop)

const stores = { POSTGRES_URL: url, REDIS_STATE_URL: redis.redisStateUrl, REDIS_QUEUE_URL: redis.redisQueueUrl }

/** Runs the command as an operator does. */
const runProcess = (args: string[], changes = {}) =>
  runCommand(new URL('./accounts.ts', import.meta.url), args, { ...stores, ...changes })

const config = readConfig({
  ...stores,
  MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
  SESSION_SECRET: randomBytes(32).toString('hex'),
})

/** @returns what the command prints; throws its failure */
async function accounts(...args: string[]): Promise<string> {
  let printed = ''
  const program = createCommandLine(async (command) => {
    printed = await runAccountCommand(config, command)
  })
  await parseHere(program, args)
  return printed
}

test('list and show print the accounts', async () => {
  await insertAccount(sql, { username: 'ada', email: 'ada@example.com', plan: 'pro' })
  const { code, stdout } = await runProcess(['list'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^USERNAME +EMAIL +PLAN/)
  expect(stdout).toMatch(/\nada +ada@example\.com +pro +- +\d{4}-\d\d-\d\d +- +active$/m)
  const shown = await accounts('show', 'ADA@example.com')
  expect(shown).toMatch(/Plan +Pro Plan/)
  expect(shown).not.toContain('argon2')
})

test('show finds the account of a provider key by the id that an alert names', async () => {
  const id = await insertAccount(sql, { username: 'owner' })
  const [key] = await sql<[{ id: string }]>`
    insert into api_keys (id, account_id, name, origin, sealed_key, masked_key, is_primary)
    values (gen_random_uuid(), ${id}, 'k', 'https://api.example.com', ${randomBytes(99)}, 'm', true) returning id`
  for (const named of [key.id, id]) expect(await accounts('show', named)).toMatch(/Username +owner/)
})

test('a plan takes effect at once, and proxies are notified', async () => {
  const id = await insertAccount(sql, { username: 'bob' })
  const subscriber = openStateSubscriber(redis)
  const notified: (string | undefined)[] = []
  await onInvalidation(subscriber, (accountId) => notified.push(accountId))
  expect(await accounts('plan', 'bob', 'enterprise')).toBe('bob is now on the Enterprise Plan, with no end date.')
  expect(await sql`select plan from accounts where id = ${id}`).toEqual([{ plan: 'enterprise' }])
  expect(await sql`select action, user_agent from audit_entries where account_id = ${id}`).toEqual([
    { action: 'plan-changed', user_agent: 'operator' },
  ])
  await expect.poll(() => notified).toContain(id)
  subscriber.disconnect()
})

test('a disabled account has no sessions and no tokens until it is enabled', async () => {
  const id = await insertAccount(sql, { username: 'eve' })
  const [tokenHash, sessionHash] = [randomBytes(32), randomBytes(32)]
  await sql`insert into proxy_configs (account_id, base_url) values (${id}, 'https://api.example.com')`
  await sql`
    insert into secure_tokens (id, account_id, name, token_hash, sealed_token, masked_token)
    values (gen_random_uuid(), ${id}, 't', ${tokenHash}, ${randomBytes(99)}, 'm')`
  await sql`
    insert into sessions (id_hash, account_id, expires_at) values (${sessionHash}, ${id}, now() + interval '1 day')`
  const credentials = createCredentialStore(sql)
  expect(await credentials.findByTokenHash(tokenHash)).toMatchObject({ isActive: true })
  await accounts('disable', 'eve')
  expect(await credentials.findByTokenHash(tokenHash)).toMatchObject({ isActive: false })
  expect(await credentials.findBySessionHash(sessionHash)).toBeUndefined()
  expect(await sql`select 1 from sessions where account_id = ${id}`).toHaveLength(0)
  expect(await accounts('disable', 'eve')).toContain('was already disabled')
  await accounts('enable', 'eve')
  expect(await credentials.findByTokenHash(tokenHash)).toMatchObject({ isActive: true })
})

test('row 53: the command grants and revokes operator rights, whatever an account is called', async () => {
  const id = await insertAccount(sql, { username: 'operator' })
  const isOperator = async () => (await createAccountStore(sql, invalidateNothing).get(id))?.isOperator
  expect(await isOperator()).toBe(false)
  expect(await accounts('operator', 'operator')).toBe('operator is now an operator of this server.')
  expect(await isOperator()).toBe(true)
  expect(await accounts('show', 'operator')).toMatch(/Operator +yes/)
  expect(await accounts('operator', 'operator', '--off')).toBe('operator is no longer an operator.')
  expect(await isOperator()).toBe(false)
  expect(await sql`select action, user_agent from audit_entries where account_id = ${id} order by id`).toEqual([
    { action: 'operator-granted', user_agent: 'operator' },
    { action: 'operator-revoked', user_agent: 'operator' },
  ])
})

test('a reset password is printed once and works', async () => {
  const id = await insertAccount(sql, { username: 'kim' })
  const printed = await accounts('reset-password', 'kim')
  const [{ hash }] = (await sql`select password_hash as hash from accounts where id = ${id}`) as [{ hash: string }]
  expect(await verifyPassword(printed.split('\n').at(-1)!, hash)).toBe(true)
})

test('an account with its credentials in one command, for scripts', async () => {
  const file = join(temporaryFolder(), 'key')
  await writeFile(file, 'sk-0123456789abcdef\n')
  const names = ['--api-key-file', file, '--token', 'CI', '--management-key', 'Terraform', '--plan', 'pro', '--json']
  const created = JSON.parse(await accounts('create', 'robot', '--email', 'robot@example.com', ...names))
  expect(created).toMatchObject({ username: 'robot', token: expect.stringMatching(/^st_/) })
  const [account] = await sql`
    select plan, password_hash as hash, (select origin from api_keys where account_id = a.id and is_primary)
    from accounts a where id = ${created.id}`
  expect(account).toMatchObject({ plan: 'pro', origin: 'https://api.openai.com' })
  expect(await verifyPassword(created.password, account!['hash'])).toBe(true)
  expect(await createCredentialStore(sql).findByTokenHash(hashToken(created.token))).toBeDefined()
  const found = await createManagementKeyStore(sql, invalidateNothing).resolve(hashToken(created.managementKey))
  expect(found?.scopes).toEqual(['credentials:write', 'logs:write', 'alerts:write', 'account:write'])
})

test('the tokens of an account with their state and limits, for a customer who gets 401, 403 or 429', async () => {
  const id = await insertAccount(sql, { username: 'tom' })
  await sql`
    insert into secure_tokens (id, account_id, name, token_hash, sealed_token, masked_token, is_active, expires_at, models,
      requests_per_minute, daily_budget_nano_usd)
    values (gen_random_uuid(), ${id}, 'Old', ${randomBytes(32)}, ${randomBytes(99)}, 'st_a***', true, '2026-01-02', null, null, null),
      (gen_random_uuid(), ${id}, 'Off', ${randomBytes(32)}, ${randomBytes(99)}, 'st_b***', false, null, null, null, null),
      (gen_random_uuid(), ${id}, 'Small', ${randomBytes(32)}, ${randomBytes(99)}, 'st_c***', true, null,
        array['gpt-4o'], 5, 1500000000)`
  const printed = await accounts('tokens', 'tom')
  expect(printed).toMatch(/^Old +st_a\*{3} +expired 2026-01-02 +-$/m)
  expect(printed).toMatch(/^Off +st_b\*{3} +switched off +-$/m)
  expect(printed).toMatch(/^Small +st_c\*{3} +active +models gpt-4o, 5 requests a minute, \$1\.5 a day$/m)
})

test('a deleted account is gone at once, and its logs are given to a worker', async () => {
  const id = await insertAccount(sql, { username: 'gone' })
  await expect(accounts('delete', 'gone')).rejects.toThrow("required option '--yes'")
  expect(await accounts('delete', 'gone', '--yes')).toBe('gone is deleted. A worker will delete its logs.')
  expect(await sql`select 1 from accounts where id = ${id}`).toHaveLength(0)
  expect(await sql`select 1 from account_deletions where account_id = ${id}`).toHaveLength(1)
})

test('without Postgres a sentence says so', async () => {
  const away = await runProcess(['list'], { POSTGRES_URL: 'postgres://a:b@127.0.0.1:1/c' })
  expect([away.code, away.stdout, away.stderr]).toEqual([
    1,
    '',
    'A store cannot be used: connect ECONNREFUSED 127.0.0.1:1.',
  ])
})

test('without Redis the change is made, and the warning is not part of the result', async () => {
  const args = ['create', 'lone', '--email', 'lone@example.com', '--plan', 'pro', '--json']
  const { stdout, stderr } = await runProcess(args, { REDIS_STATE_URL: 'redis://127.0.0.1:1' })
  expect(JSON.parse(stdout)).toMatchObject({ username: 'lone' })
  expect(stderr).toContain('proxies were not notified of a change')
})

test('an invite code is printed once, and only its hash is stored', async () => {
  const printed = await accounts('invite', 'lee@example.com', '--days', '3')
  const [, code] = /for lee@example\.com, valid for 3 days and one account.*\n(\S+)$/.exec(printed)!
  const [stored] = await sql`select to_jsonb(i)::text as text from invites i`
  expect(stored!.text).toContain('lee@example.com')
  expect(stored!.text).not.toContain(code)
})

test.each([
  [['show', 'nobody'], 'There is no account with the username or email address nobody.'],
  [['plan', 'ada', 'gold'], 'There is no such plan. Plans: free, basic, pro, enterprise.'],
  [['create', 'x', '--email', 'x@example.com'], 'Username must be at least 3 characters'],
  [['create', 'ada', '--email', 'other@example.com'], 'Another account has this username.'],
  [['create', 'max', '--email', 'max@example.com', '--api-key-file', '/nowhere'], 'The provider key cannot be read'],
  [['create', 'max', '--email', 'max@example.com', '--token', ' '], 'Please enter a name for your secure token'],
  [['create', 'max', '--email', 'max@example.com', '--management-key', 'k'.repeat(61)], 'Name must be at most 60'],
  [['plan', 'ada'], "missing required argument 'plan'"],
  [['invite', 'not-an-address'], 'not an email address'],
  [['dance'], "unknown command 'dance'"],
])('%j fails with a reason', async (args, reason) => {
  await expect(accounts(...args)).rejects.toThrow(reason)
})
