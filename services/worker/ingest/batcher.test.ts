import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { maxRows } from '#shared/pipeline/group-limits.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { toRows } from '#store/clickhouse/logs/request-log-rows.ts'
import type { ReadBatch } from './batch-reader.ts'
import { Batcher } from './batcher.ts'
import { createUsageLabels } from './usage-labels.ts'
import { UsageTally } from './usage-tally.ts'

const intervalMs = 600
const maxBatches = 4
const maxBytes = 100_000

/** Number of rows in each insert. */
let inserts: number[]
let batcher: Batcher
/** Of the next insert. */
let rejection: Error | undefined
let logged: string[]
let isFirst: boolean
let counted: number

beforeEach(() => {
  vi.useFakeTimers()
  inserts = []
  logged = []
  isFirst = true
  counted = 0
  batcher = new Batcher({
    async insert(rows) {
      const error = rejection
      rejection = undefined
      if (error) throw error
      inserts.push(rows.reduce((sum, { count }) => sum + count, 0))
    },
    ledger: {
      open: async (batchIds) => ({ id: 'group', batchIds: [...batchIds], stored: false }),
      awaitReplicas: async () => undefined,
      markStored: async () => isFirst,
    },
    onStored: () => (counted += 1),
    maxBatches,
    maxBytes,
    intervalMs: () => intervalMs,
    logger: pino({}, { write: (line) => void logged.push(line) }),
  })
})
afterEach(() => {
  vi.useRealTimers()
})

let batches = 0
const createBatch = (bytes = 1_000, rows = 1): ReadBatch => ({
  id: `batch-${(batches += 1)}`,
  bytes,
  rows: { ...toRows([requestEvent({})]), count: rows },
  sample: [],
  accountIds: new Set(),
  usage: new UsageTally(createUsageLabels()),
  rejected: [],
})

function add({ count = 1, bytes = 1_000, rows = 1 } = {}): void {
  for (let at = 0; at < count; at += 1) void batcher.add(createBatch(bytes, rows))
}

test('what comes after a pause is stored at once, and the next only after the interval, together', async () => {
  add()
  await vi.advanceTimersByTimeAsync(1)
  expect(inserts).toEqual([1])
  add()
  await vi.advanceTimersByTimeAsync(intervalMs / 2)
  add()
  expect(inserts).toEqual([1])
  await vi.advanceTimersByTimeAsync(intervalMs / 2)
  expect(inserts).toEqual([1, 2])
})

test('when all batches that can be waiting are there, none waits any longer', async () => {
  add()
  await vi.advanceTimersByTimeAsync(1)
  add({ count: maxBatches })
  await vi.advanceTimersByTimeAsync(0)
  expect(inserts).toEqual([1, maxBatches])
})

test.each([
  ['bytes', { bytes: maxBytes / 2, rows: 1 }],
  ['rows', { bytes: 1_000, rows: maxRows / 2 }],
])('a group that is full of %s does not wait, and the next one does', async (_limit, half) => {
  add()
  await vi.advanceTimersByTimeAsync(1)
  add({ count: 2, ...half })
  add()
  await vi.advanceTimersByTimeAsync(0)
  expect(inserts).toEqual([1, 2 * half.rows])
})

test('a batch that is delivered again while it waits is inserted once', async () => {
  const batch = createBatch()
  const isStored = Promise.all([batcher.add(batch), batcher.add({ ...batch })])
  await vi.advanceTimersByTimeAsync(1)
  expect(await isStored).toEqual([true, true])
  expect(inserts).toEqual([1])
})

test('the usage of a batch counts once, though two workers have stored it', async () => {
  for (isFirst of [true, false]) {
    add()
    await vi.advanceTimersByTimeAsync(intervalMs)
  }
  expect([inserts, counted]).toEqual([[1, 1], 1])
})

test('the log says why ClickHouse rejects a row, without the row', async () => {
  const message = `Cannot parse input: expected '"' before: 'my prompt', '203.0.113.7': (while reading the value of key status): (at row 1)
Row 1:
Column 0, name: request_body, type: Nullable(String), parsed text: "my prompt"`
  rejection = Object.assign(new Error(message), { code: '27', type: 'CANNOT_PARSE_INPUT_ASSERTION_FAILED' })
  add()
  await vi.advanceTimersByTimeAsync(0)
  batcher.stop()
  expect(logged).toEqual([
    expect.stringContaining('CANNOT_PARSE_INPUT_ASSERTION_FAILED (while reading the value of key status)'),
  ])
  expect(logged.join('')).not.toMatch(/my prompt|203\.0/)
})
