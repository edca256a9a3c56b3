import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createHttpServer } from '#core/http/http-server.ts'
import { leaveBeforeHandler } from '#core/http/left-request.fixture.ts'
import { SharedLimit } from '#core/limits/shared-limit.ts'
import { minute, second } from '#core/units.ts'
import { RequestLogFilters } from '#schemas/request-logs.ts'
import type { RequestLogStore, TailedLog } from '#store/clickhouse/logs/request-logs.ts'
import { LogTail } from '../../logs/log-tail.ts'
import { fakeSession } from '../../plugins/session.fixture.ts'
import { createTurns, takeTurns } from '../../plugins/turns.ts'
import { logTailRoutes } from './log-tail.ts'

test('a resumed tail has all logs of the insert at which it broke off', async () => {
  const ingestedAtMs = Date.now() - 4 * minute
  const stored = ['one', 'two'].map((id) => ({ id, ingestedAtMs }) as TailedLog)
  const storedSince: RequestLogStore['storedSince'] = async (_accountId, _filters, sinceMs) =>
    stored.filter((log) => log.ingestedAtMs > sinceMs)
  const tail = new LogTail({ storedSince }, pino({ level: 'silent' }))
  expect(await tail.missed('account', RequestLogFilters.parse({}), ingestedAtMs)).toEqual(stored)
})

test('listeners of an account share its polls, and get each of its logs once', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const stored: { accountId: string; log: TailedLog }[] = []
  const storedSince = vi.fn<RequestLogStore['storedSince']>(async (accountId, _filters, sinceMs) =>
    stored.flatMap((each) => (each.accountId === accountId && each.log.ingestedAtMs > sinceMs ? [each.log] : [])),
  )
  const store = (accountId: string, id: string, ago = 0) =>
    stored.push({ accountId, log: { id, ingestedAtMs: Date.now() - ago } as TailedLog })
  const tail = new LogTail({ storedSince }, pino({ level: 'silent' }))
  const received: string[] = []
  const listen = (accountId: string, name: string) =>
    tail.listen(accountId, RequestLogFilters.parse({}), (logs) =>
      received.push(...logs.map(({ id }) => `${name}: ${id}`)),
    )
  const next = async () => {
    await vi.advanceTimersByTimeAsync(second)
    return received.splice(0)
  }
  store('ann', 'earlier', 1)
  const stops = await Promise.all([listen('ann', 'one'), listen('ann', 'two'), listen('bob', 'other')])
  expect(storedSince).toHaveBeenCalledTimes(2)
  store('ann', 'new')
  expect(await next()).toEqual(['one: new', 'two: new'])
  storedSince.mockRejectedValueOnce(new Error('away'))
  expect(await next()).toEqual([])
  store('ann', 'visible late', 3 * second)
  store('bob', 'his')
  expect((await next()).toSorted()).toEqual(['one: visible late', 'other: his', 'two: visible late'])
  for (const stop of stops) stop()
  storedSince.mockClear()
  await next()
  expect(storedSince).not.toHaveBeenCalled()
  await listen('ann', 'again')
  store('ann', 'newest')
  expect(await next()).toEqual(['again: newest'])
})

test('a tail that has ended does not delay others with a poll that waited', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const queries: { search: string; end(): void }[] = []
  const storedSince: RequestLogStore['storedSince'] = (_accountId, { search = '' }) =>
    new Promise((resolve) => void queries.push({ search, end: () => resolve([]) }))
  const tail = new LogTail({ storedSince }, pino({ level: 'silent' }))
  const listen = (search: string) => tail.listen('account', RequestLogFilters.parse({ search }), () => undefined)
  const endQuery = async () => {
    queries.at(-1)?.end()
    await vi.advanceTimersByTimeAsync(0)
  }
  const opening = [listen('first'), listen('second')]
  await vi.advanceTimersByTimeAsync(0)
  await endQuery()
  await endQuery()
  const [, stopSecond] = await Promise.all(opening)
  await vi.advanceTimersByTimeAsync(second)
  stopSecond?.()
  void listen('third')
  await endQuery()
  expect(queries.map(({ search }) => search)).toEqual(['first', 'second', 'first', 'third'])
})

test('a live tail ends at once if its client left before', async () => {
  const logger = pino({ level: 'silent' })
  const limit = new SharedLimit({ account: 9, process: 99 })
  const take = vi.spyOn(limit, 'take')
  const tail = new LogTail({ storedSince: async () => [] }, logger)
  const app = createHttpServer({ trustedProxies: [] }, logger)
  const send = leaveBeforeHandler(app)
  await app.register(fakeSession)
  await app.register(takeTurns, { turns: createTurns() })
  await app.register(logTailRoutes, { tail, limit, endWithCredential: () => () => undefined })
  await send('/api/logs/tail')
  await expect.poll(() => take.mock.calls.length).toBe(1)
  await expect.poll(() => limit.used).toBe(0)
  await app.close()
})
