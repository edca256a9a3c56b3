import { randomUUID } from 'node:crypto'
import type { DeadLetter, DeadLetterDetails, Pipeline } from '#schemas/pipeline.ts'

const moment = '2026-01-15T12:00:00.000Z'

const proxy = {
  id: randomUUID(),
  isSilent: false,
  host: 'edge-1',
  pid: 41,
  at: moment,
  accepted: 1_234_567,
  spooledEvents: 40,
  spooledBytes: 65_536,
  fullness: 0.83,
  shippedUntil: moment,
}

const worker = {
  id: randomUUID(),
  isSilent: true,
  host: 'store-1',
  pid: 42,
  at: moment,
  storedEvents: 1_234_000,
  inserts: 321,
  insertP50Ms: 14,
  insertP95Ms: 91,
  lastError: 'Timeout of an insert <script>',
}

/** 1,234,567 accepted, 1,234,000 of them stored, 500 queued, 40 spooled, 27 dead. */
export const busyPipeline: Pipeline = {
  at: '2026-01-15T12:00:05.000Z',
  accepted: 1_234_567,
  stored: 1_234_000,
  queued: 500,
  spooled: 40,
  dead: 27,
  droppedDead: 2,
  writtenOff: 0,
  reconciled: 0,
  difference: 0,
  queuedBatches: 6,
  oldestWaitingAt: moment,
  completeUntil: moment,
  ingestLagP50Ms: 610,
  ingestLagP95Ms: 1_480,
  parts: 88,
  proxies: [proxy],
  workers: [worker],
  writtenOffProxies: [],
  range: null,
}

/** ClickHouse can't be reached. */
export const blindPipeline: Pipeline = {
  ...busyPipeline,
  stored: null,
  difference: null,
  droppedDead: 0,
  ingestLagP50Ms: null,
  ingestLagP95Ms: null,
  parts: null,
}

export const deadLetter: DeadLetter = {
  id: randomUUID(),
  kind: 'events',
  events: 1,
  reason: 'The event has no account <b>',
  failedAt: moment,
}

export const deadLetterDetails: DeadLetterDetails = {
  ...deadLetter,
  lines: [{ line: '{"v":1,"path":"/v1/models"}', reason: 'accountId: expected a UUID' }],
}
