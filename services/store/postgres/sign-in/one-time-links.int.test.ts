import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '#tools/test/stores.ts'
import { insertAccount } from '#store/postgres/account.fixture.ts'
import { issueLink, redeemLink, revokeLinks } from './one-time-links.ts'

const email = 'ann@example.test'
const { sql, drop } = await createTestDatabase()
afterAll(drop)

const issue = (accountId: string, validMs = 60_000) =>
  issueLink(sql, accountId, { purpose: 'confirm-email', email, validMs })
const redeem = (secret: string) => sql.begin((tx) => redeemLink(tx, 'confirm-email', secret))
const invalid = { code: 'link-invalid' }

test('of many concurrent uses of a link, one succeeds', async () => {
  const secret = await issue(await insertAccount(sql))
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => redeem(secret)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a link that is expired, revoked or made up is invalid', async () => {
  const accountId = await insertAccount(sql)
  await expect(redeem(await issue(accountId, -1))).rejects.toMatchObject(invalid)
  const secret = await issue(accountId)
  await sql.begin((tx) => revokeLinks(tx, accountId, 'confirm-email'))
  await expect(redeem(secret)).rejects.toMatchObject(invalid)
  await expect(redeem('x')).rejects.toMatchObject(invalid)
})

test('the secret of a link is not stored', async () => {
  const accountId = await insertAccount(sql)
  const secret = await issue(accountId)
  const [row] = await sql`select * from one_time_links where account_id = ${accountId}`
  expect(JSON.stringify(row)).not.toContain(secret)
})
