import fc from 'fast-check'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { kib, minute } from '#core/units.ts'
import { RequestEvent } from '#schemas/request-event.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { FoldedLogs } from './folded-logs.ts'
import { Recovery } from '../spool/recovery.ts'
import { Spool } from '../spool/spool.ts'
import { SpoolFullError } from '../spool/spool-full-error.ts'

let folder: string
beforeEach(() => void (folder = temporaryFolder()))

const accounts = ['0190f5ee-0000-7000-8000-00000000000a', '0190f5ee-0000-7000-8000-00000000000b'] as const
const limits = { rejection: { account: 3, process: 100 }, 'cache-hit': { account: 3, process: 100 } }

const rejection = (accountId: string, changes: Partial<RequestEvent> = {}) =>
  requestEvent({ accountId, status: 429, attempts: 0, apiKeyId: null, ...changes })

/** The events that recovery finds if the proxy dies now. */
async function recover(): Promise<RequestEvent[]> {
  const events: RequestEvent[] = []
  const recovery = new Recovery({ proxyId: 'p', path: folder })
  await recovery.prepare()
  await recovery.publishAll(async ({ text }) => {
    const lines = Buffer.concat(text).toString().trimEnd().split('\n')
    events.push(...lines.map((line) => RequestEvent.parse(JSON.parse(line))))
  })
  return events
}

test('whenever the proxy dies, every response is counted, in few rows', async () => {
  const step = fc.record({ account: fc.nat(1), code: fc.constantFrom(429, 403), awaits: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      folder = temporaryFolder()
      const spool = new Spool(folder, { maxBytes: 2 ** 30 })
      const logs = new FoldedLogs({ recorder: spool, limits, now: () => 0 })
      const responses = [0, 0]
      let last: Promise<unknown> = Promise.resolve()
      for (const { account, code, awaits } of steps) {
        const event = rejection(accounts[account]!, { status: code })
        last = logs.record('rejection', event).then(() => (responses[account]! += 1))
        if (awaits) await last
      }
      await last
      const events = await recover()
      for (const [at, accountId] of accounts.entries()) {
        const own = events.filter((event) => event.accountId === accountId)
        expect(own.reduce((sum, { requestCount }) => sum + requestCount, 0)).toBe(responses[at])
        expect(own.length).toBeLessThanOrEqual(3 + 2)
      }
    }),
    { numRuns: 50 },
  )
})

test('a folded row has only the fields that are the same for all of its requests', async () => {
  const spool = new Spool(folder, { maxBytes: 2 ** 30 })
  const logs = new FoldedLogs({ recorder: spool, limits })
  const [accountId] = accounts
  for (const changes of [
    {
      clientAddress: '192.0.2.1',
      endpoint: '/v1/models',
      method: 'GET',
      model: 'gpt-4o',
      userAgent: 'curl/8',
      requestBytes: 1,
      responseBytes: 20,
      responseTimeMs: 2,
      query: 'a=1',
      tags: { customer: 'a', team: 'x' },
      requestHeaders: { 'x-own': 'a' },
      requestBody: 'a',
      responseBody: 'a',
    },
    {
      clientAddress: '192.0.2.2',
      endpoint: '/v1/files',
      model: 'gpt-4o-mini',
      userAgent: 'curl/9',
      requestBytes: 300,
      responseBytes: 4_000,
      responseTimeMs: 4,
      tags: { customer: 'b', team: 'x' },
    },
  ]) {
    await logs.record('at-limit', rejection(accountId, changes))
  }
  logs.close()
  expect(await recover()).toMatchObject([
    {
      requestCount: 2,
      status: 429,
      endpoint: '/v1/*',
      clientAddress: null,
      query: null,
      tags: { team: 'x' },
      requestHeaders: expect.toSatisfy((headers) => Object.keys(headers).length === 0),
      requestBody: null,
      responseBody: null,
      responseTimeMs: 3,
      requestBytes: 301,
      responseBytes: 4_020,
      method: '*',
      model: null,
      userAgent: null,
      outcome: 'completed',
    },
  ])
})

test('requests of other tokens, or with other errors, have rows of their own', async () => {
  const logs = new FoldedLogs({ recorder: new Spool(folder, { maxBytes: 2 ** 30 }), limits })
  for (const changes of [{}, { tokenId: accounts[1] }, { errorMessage: 'another' }, {}])
    await logs.record('at-limit', rejection(accounts[0], changes))
  logs.close()
  expect((await recover()).map(({ requestCount }) => requestCount).toSorted()).toEqual([1, 1, 2])
})

test('a row ends with its minute', async () => {
  vi.useFakeTimers({ now: 59_000, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const spool = new Spool(folder, { maxBytes: 2 ** 30 })
  const logs = new FoldedLogs({ recorder: spool, limits })
  for (const ended of [1, 2]) {
    await logs.record('at-limit', rejection(accounts[0]))
    vi.advanceTimersByTime(minute)
    expect(spool.next({ force: true, limit: 9 }).reduce((sum, { endCount }) => sum + endCount, 0)).toBe(ended)
  }
})

test('while the spool is full, rejected requests are still one row', async () => {
  const spool = new Spool(folder, { maxBytes: 64 * kib })
  expect(() => {
    for (;;) spool.begin(requestEvent())
  }).toThrow(SpoolFullError)
  const logs = new FoldedLogs({ recorder: spool, limits })
  for (let count = 0; count < 100; count += 1) await logs.record('at-limit', rejection(accounts[0]))
  logs.close()
  const rows = (await recover()).filter(({ status }) => status === 429)
  expect(rows.map(({ requestCount }) => requestCount)).toEqual([100])
})

test('a new minute has its own limit', async () => {
  let now = 0
  const spool = new Spool(folder, { maxBytes: 2 ** 30 })
  const logs = new FoldedLogs({ recorder: spool, limits, now: () => now })
  for (let count = 0; count < 5; count += 1) await logs.record('rejection', rejection(accounts[0]))
  logs.close()
  now = 60_000
  for (let count = 0; count < 3; count += 1) await logs.record('rejection', rejection(accounts[0]))
  const counts = (await recover()).map(({ requestCount }) => requestCount)
  expect(counts.toSorted()).toEqual([1, 1, 1, 1, 1, 1, 2])
})
