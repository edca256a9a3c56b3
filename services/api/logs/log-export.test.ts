import { expect, test } from 'vitest'
import { FairQueue } from '#core/limits/fair-queue.ts'
import { SharedLimit } from '#core/limits/shared-limit.ts'
import { RequestLogExportQuery } from '#schemas/request-logs.ts'
import type { LogMatches } from '#store/clickhouse/logs/log-matches.ts'
import { exportedLog } from './exported-log.fixture.ts'
import { exportLogs, type LogExportSource } from './log-export.ts'

const matches: LogMatches = { from: 0, to: 1, partsFrom: undefined, rows: [], requests: [], overTime: [] }
const find = async () => matches
const credentialNames = async () => new Map<string, string>()
const reads = new FairQueue({ limit: new SharedLimit({ account: 9, process: 9 }), perAccount: 1, atOnce: 1 })

test.each(['csv', 'jsonl'] as const)('%s lets other work have its turn within a page', async (format) => {
  const page = Array.from({ length: 2_000 }, () => exportedLog())
  const source = {
    logs: { find, list: async () => (turns === 0 ? page : []) },
    credentialNames,
    reads,
  }
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  let text = ''
  for await (const part of exportLogs(source, 'account', RequestLogExportQuery.parse({ format }))) text += String(part)
  clearImmediate(next)
  expect(text.trim().split('\n')).toHaveLength(format === 'csv' ? 2_001 : 2_000)
  expect(turns).toBeGreaterThanOrEqual(7)
})

test('each page begins after the last row of the one before, up to the limit, and all have the range of the first', async () => {
  const limits: number[] = []
  const ranges: (LogMatches | undefined)[] = []
  const cursors: (string | undefined)[] = []
  const list: LogExportSource['logs']['list'] = async (_accountId, { limit, cursor }, range) => {
    limits.push(limit)
    ranges.push(range)
    cursors.push(cursor)
    const count = ranges.length === 1 ? limit : 1
    return Array.from({ length: count }, (_, at) => exportedLog({ id: `${ranges.length}-${at}` }))
  }
  const query = RequestLogExportQuery.parse({ format: 'jsonl', timeRange: '24h', limit: '2001' })
  const parts = await Array.fromAsync(exportLogs({ logs: { find, list }, credentialNames, reads }, 'account', query))
  expect(limits).toEqual([2_000, 1])
  expect(ranges).toEqual([matches, matches])
  expect(cursors).toEqual([undefined, '1-1999'])
  expect(parts.join('').trim().split('\n')).toHaveLength(2_001)
})
