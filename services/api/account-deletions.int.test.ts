import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import { createDeletedAccountStore } from '#store/clickhouse/deleted-accounts.ts'
import { createAccountDeletionStore } from '#store/postgres/account-deletions.ts'
import { createOutboxStore } from '#store/postgres/mails/outbox.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { storeEvents } from '#store/clickhouse/logs/stored-logs.fixture.ts'
import { newOwner, photo } from './test/account-writes.fixture.ts'
import { testApi, type TestUser } from './test/api.fixture.ts'

const api = await testApi()

/** Tables of Postgres that contain the id, name or address of an account. */
async function tracesOf(id: string, { username, email }: TestUser): Promise<string[]> {
  const tables = await api.sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`
  const traces: string[] = []
  for (const { name } of tables) {
    const found = await api.sql`
      select 1 from ${api.sql(name)} t where t::text like any (${[id, username, email].map((text) => `%${text}%`)})`
    if (found.length > 0) traces.push(name)
  }
  return traces
}

/** An account with data in every table. */
async function fillTables() {
  const { user: ann, accountId: id, webhookId } = await newOwner(api)
  await ann.call('POST', `/api/webhooks/${webhookId}/test`)
  await ann.call('PATCH', '/api/user/preferences', { theme: 'dark' })
  await ann.call('PUT', '/api/user/photo', await photo(), { 'content-type': 'image/png' })
  await ann.enableTwoFactor()
  const content = {
    kind: 'plan-ending',
    name: ann.username,
    timezone: 'UTC',
    plan: 'pro',
    planAfter: 'free',
    planUntil: '2026-12-01T00:00:00Z',
  } as const
  await createOutboxStore(api.sql).add(id, { dedupeKey: 'week 1', recipient: ann.email, content })
  await api.sql`
    insert into orders (id, account_id, paypal_order_id, plan, amount_cents, currency, payee_id)
    values (gen_random_uuid(), ${id}, ${ann.username}, 'pro', 2900, 'USD', 'us')`
  await api.sql`
    insert into invites (code_hash, email_key, expires_at, used_at, used_by)
    values (${randomBytes(32)}, ${ann.email}, now(), now(), ${id})`
  return { ann, id }
}

test('row 67: all data of an account in Postgres is deleted at once, and a job deletes its logs', async () => {
  const { ann, id } = await fillTables()
  expect(await tracesOf(id, ann)).toEqual(
    expect.arrayContaining([
      'accounts',
      'alerts',
      'api_keys',
      'audit_entries',
      'invites',
      'known_devices',
      'model_prices',
      'orders',
      'outgoing_mails',
      'preferences',
      'profile_photos',
      'proxy_configs',
      'recovery_codes',
      'secure_tokens',
      'sessions',
      'two_factor',
      'views',
      'webhook_deliveries',
      'webhooks',
    ]),
  )
  expect((await ann.call('DELETE', '/api/user/account')).json()).toEqual({ success: true })
  // What is left tells a worker to delete the logs, once requests in flight are logged.
  expect(await tracesOf(id, ann)).toEqual(['account_deletions'])
  const deletions = createAccountDeletionStore(api.sql)
  expect(await deletions.due()).not.toContain(id)
  await api.sql`update account_deletions set deleted_at = now() - interval '11 seconds' where account_id = ${id}`
  expect(await deletions.due()).toContain(id)
  await deletions.complete(id)
  expect(await tracesOf(id, ann)).toEqual([])

  expect((await ann.call('GET', '/api/user')).statusCode).toBe(401)
  const again = await api.user(ann.username).register()
  expect((await again.call('GET', '/api/keys')).json()).toEqual([])
})

test('row 67: no table of ClickHouse keeps a row of a deleted account', async () => {
  const id = await (await api.register()).accountId()
  await storeEvents(api.clickhouse, [requestEvent({ accountId: id })])
  const tables = await selectRows<{ name: string }>(
    api.clickhouse,
    `SELECT DISTINCT table AS name FROM system.columns c JOIN system.tables t ON t.name = c.table AND t.database = c.database
      WHERE c.database = currentDatabase() AND c.name = 'account_id' AND t.engine NOT LIKE '%View' AND table != 'deleted_accounts'`,
  )
  const filled = async () => {
    const names: string[] = []
    for (const { name } of tables) {
      const rows = await selectRows(api.clickhouse, `SELECT 1 FROM ${name} WHERE account_id = '${id}' LIMIT 1`)
      if (rows.length > 0) names.push(name)
    }
    return names
  }
  expect(await filled()).toContain('request_logs')
  await createDeletedAccountStore(api.clickhouse, { clickhouseCluster: undefined }).remove([id])
  expect(await filled()).toEqual([])
})
