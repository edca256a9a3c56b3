import { expect, test } from 'vitest'
import { FairQueue } from '#core/limits/fair-queue.ts'
import { SharedLimit } from '#core/limits/shared-limit.ts'
import { RequestLogExportQuery } from '#schemas/request-logs.ts'
import { exportedLog } from './exported-log.fixture.ts'
import { exportLogs } from './log-export.ts'

test.each(['csv', 'jsonl'] as const)('%s lets other work have its turn within a page', async (format) => {
  const page = Array.from({ length: 2_000 }, () => exportedLog())
  const source = {
    logs: { list: async () => (turns === 0 ? page : []) },
    credentialNames: async () => new Map<string, string>(),
    reads: new FairQueue({ limit: new SharedLimit({ account: 9, process: 9 }), perAccount: 1, atOnce: 1 }),
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
