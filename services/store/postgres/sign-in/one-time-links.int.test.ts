import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tools/test/stores.ts'
import { insertAccount } from '#store/postgres/account.fixture.ts'
import type { LinkMailKind } from '#schemas/mails.ts'
import { issueLink, redeemLink, revokeLinks } from './one-time-links.ts'

const email = 'ann@example.test'
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const issue = (accountId: string, validMs = 60_000) =>
  issueLink(database.sql, accountId, { purpose: 'confirm-email', email, validMs })
const redeem = (secret: string, purpose: LinkMailKind = 'confirm-email') =>
  database.sql.begin((tx) => redeemLink(tx, purpose, secret))
const invalid = { code: 'link-invalid' }

test('a link works once, and only for what it was made for', async () => {
  const accountId = await insertAccount(database.sql)
  const secret = await issue(accountId)
  await expect(redeem(secret, 'reset-password')).rejects.toMatchObject(invalid)
  expect(await redeem(secret)).toEqual({ accountId, email })
  await expect(redeem(secret)).rejects.toMatchObject(invalid)
})

test('of many who use a link at once, one succeeds', async () => {
  const secret = await issue(await insertAccount(database.sql))
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => redeem(secret)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a link that is over, revoked or made up does nothing', async () => {
  const accountId = await insertAccount(database.sql)
  await expect(redeem(await issue(accountId, -1))).rejects.toMatchObject(invalid)
  const secret = await issue(accountId)
  await database.sql.begin((tx) => revokeLinks(tx, accountId, 'confirm-email'))
  await expect(redeem(secret)).rejects.toMatchObject(invalid)
  await expect(redeem('x')).rejects.toMatchObject(invalid)
})

test('what is stored does not open anything', async () => {
  const accountId = await insertAccount(database.sql)
  const secret = await issue(accountId)
  const [row] = await database.sql`select * from one_time_links where account_id = ${accountId}`
  expect(JSON.stringify(row)).not.toContain(secret)
})
