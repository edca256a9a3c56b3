import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { day } from '#schemas/units.ts'
import { cutAt, type LogDetails, logsPageQuery, requestLogQuery } from './request-logs-queries.ts'

it('reads a log again until it is stored, and then no more', async () => {
  const id = '0199a000-0000-7000-8000-000000000001'
  const client = new QueryClient()
  const responses = [
    { id, pending: true },
    { id, model: 'first' },
    { id, model: 'second' },
  ] as LogDetails[]
  const read = () => client.fetchQuery({ ...requestLogQuery(id), queryFn: async () => responses.shift()! })
  await read()
  expect(await read()).toMatchObject({ model: 'first' })
  expect(await read()).toMatchObject({ model: 'first' })
})

it.each([
  [{ range: '90d' }, true],
  [{ range: '24h' }, false],
  [{ from: '2026-01-01T00:00:00.000Z' }, true],
  [{}, false],
] as const)('logs of 30 days cut the range %j: %s', (search, isCut) => {
  const keptFrom = new Date(Date.now() - 30 * day).toISOString()
  expect(cutAt(search, keptFrom)).toBe(isCut ? keptFrom : null)
})

it('keeps the page while a chart is shown as a table', () => {
  expect(logsPageQuery({ page: 2, tables: ['Requests over time'] }).queryKey).toEqual(
    logsPageQuery({ page: 2 }).queryKey,
  )
})
