import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { insertAccount } from '#store/postgres/account.fixture.ts'
import { createTokenBudgetStore } from '#store/postgres/credentials/token-budgets.ts'
import type { PeriodSpending, TokenSpendingStore } from '#store/redis/token-spending.ts'
import { useTestJobs } from './jobs.fixture.ts'

const jobs = await useTestJobs()
const { sql } = jobs

const usd = 1_000_000_000

async function addToken(accountId: string, name: string, { daily, monthly }: { daily?: number; monthly?: number }) {
  const id = uuidv7()
  await sql`
    insert into secure_tokens (id, account_id, name, token_hash, sealed_token, masked_token, daily_budget_nano_usd,
      monthly_budget_nano_usd)
    values (${id}, ${accountId}, ${name}, ${randomBytes(32)}, ${randomBytes(9)}, 'm', ${daily ?? null}, ${monthly ?? null})`
  return id
}

const spent = (dollars: number): PeriodSpending => ({ spentNanoUsd: dollars * usd, reservedNanoUsd: 9 * usd })

/** Subjects of the mails after two rounds, each with its row about spending. */
async function mailsAt(iso: string, tokenId: string, [day, month]: [number, number]) {
  const spending = { read: async () => new Map([[tokenId, { day: spent(day), month: spent(month) }]]) }
  for (let round = 0; round < 2; round++) await jobs.warnings(spending, () => Date.parse(iso)).run()
  await jobs.delivery().run()
  return jobs.mails.splice(0).map(({ subject, text }) => [subject, /Spent.*/.exec(text!)?.[0]])
}

test('the owner is notified at 80 % of a budget and when it is used up, once a period each', async () => {
  const accountId = await insertAccount(sql)
  const id = await addToken(accountId, 'ci', { daily: 2 * usd, monthly: 10 * usd })
  await addToken(accountId, 'free', {})
  const at80 = 'A secure token has spent 80 % of its daily budget'
  const usedUp = 'A secure token has used up its daily budget'
  expect(await mailsAt('2026-11-20T10:00:00Z', id, [1.59, 1.59])).toEqual([])
  expect(await mailsAt('2026-11-20T11:00:00Z', id, [1.6, 1.6])).toMatchObject([
    [at80, expect.stringContaining('$1.6000 of $2.0000')],
  ])
  expect(await mailsAt('2026-11-20T11:30:00Z', id, [1.87, 1.87])).toEqual([])
  expect(await mailsAt('2026-11-20T12:00:00Z', id, [1.88, 1.88])).toMatchObject([[usedUp, expect.anything()]])
  expect(await mailsAt('2026-11-21T12:00:00Z', id, [2, 8])).toMatchObject([
    [usedUp, expect.anything()],
    ['A secure token has spent 80 % of its monthly budget', expect.anything()],
  ])
  expect(await mailsAt('2026-11-22T12:00:00Z', id, [0, 9])).toEqual([])
})

test('what is read before midnight is not taken for spending of the day after', async () => {
  const accountId = await insertAccount(sql)
  const id = await addToken(accountId, 'ci', { daily: 2 * usd })
  const beforeMidnight = Date.parse('2026-11-20T23:59:59.999Z')
  const times = [beforeMidnight, beforeMidnight + 2]
  const askedAt: number[] = []
  const spending: TokenSpendingStore = {
    read: async (_accountId, _tokenIds, at = 0) => {
      askedAt.push(at)
      return new Map([[id, { day: spent(2), month: spent(2) }]])
    },
  }
  await jobs.warnings(spending, () => times.shift() ?? beforeMidnight + 3).run()
  const mails = await sql<{ occasion: string }[]>`select occasion from outgoing_mails`
  expect(askedAt).toEqual([beforeMidnight])
  expect(mails.map(({ occasion }) => occasion)).toEqual([`${id} 2026-11-20 100`])
})

test('an owner without email notifications or with an unconfirmed address is not notified', async () => {
  const spentBy = new Map<string, { day: PeriodSpending; month: PeriodSpending }>()
  const [quiet, unconfirmed] = [await insertAccount(sql), await insertAccount(sql, { isEmailConfirmed: false })]
  for (const accountId of [quiet, unconfirmed]) {
    spentBy.set(await addToken(accountId, 'ci', { daily: usd }), { day: spent(1), month: spent(0) })
  }
  await sql`insert into preferences (account_id, email_notifications) values (${quiet}, false)`
  await jobs.warnings({ read: async () => spentBy }, () => Date.parse('2026-11-20T10:00:00Z')).run()
  expect(await sql`select 1 from outgoing_mails`).toHaveLength(0)
})

test('budgets are read in batches, between which no connection to Postgres is held', async () => {
  const accountIds = [await insertAccount(sql), await insertAccount(sql)].toSorted()
  const ids: string[] = []
  for (const accountId of accountIds) {
    for (const daily of [usd, 2 * usd]) ids.push(await addToken(accountId, 'ci', { daily }))
  }
  const read: string[][] = []
  for await (const batch of createTokenBudgetStore(sql).batches(3)) {
    read.push(batch.map(({ tokenId }) => tokenId))
    await expect
      .poll(
        () => sql`select query from pg_stat_activity where datname = current_database()
          and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`,
      )
      .toEqual([])
  }
  expect(read).toEqual([ids.slice(0, 3), ids.slice(3)])
})
