import { appendFileSync, cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { hour } from '#core/units.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { type Batch, Recovery } from './recovery.ts'
import type { OpenRequest } from './segment.ts'
import { Spool } from './spool.ts'
import { SpoolFullError } from './spool-full-error.ts'

let folder: string
beforeEach(() => void (folder = temporaryFolder()))

/** A queue that stores each batch once, as BullMQ and the worker's ledger do together, and that can fail. */
class TestQueue {
  readonly batches = new Map<string, { id: string; outcome: string }[]>()
  failAfter = Number.POSITIVE_INFINITY

  publish = async ({ id, count, text }: Batch): Promise<void> => {
    if (this.failAfter <= 0) throw new Error('crashed')
    this.failAfter -= 1
    if (this.batches.has(id)) return
    const lines = Buffer.concat(text).toString().trimEnd().split('\n')
    expect(lines).toHaveLength(count)
    this.batches.set(
      id,
      lines.map((line) => JSON.parse(line)),
    )
  }

  get events() {
    return [...this.batches.values()].flat()
  }
}

const openSpool = (now?: () => number) => new Spool(folder, { maxBytes: 2 ** 30, ...(now && { now }) })

/**
 * @param acknowledge how many acknowledgements the proxy receives before it dies
 * @param reported how many accepted requests the delivery counters include
 */
async function ship(
  spool: Spool,
  queue: TestQueue,
  { limit = 10, acknowledge = 10, reported = spool.accepted, force = false } = {},
): Promise<void> {
  for (const [at, segment] of spool.next({ limit, force }).entries()) {
    await queue.publish({ id: segment.batchId, count: segment.endCount, text: await segment.readText() })
    if (at < acknowledge) spool.markShipped(segment)
  }
  await spool.removeShipped(reported)
}

/** @param report called with the number of requests that the dead proxy had accepted, if recorded */
async function recover(queue: TestQueue, report: (accepted: number) => void = () => undefined): Promise<void> {
  const recovery = new Recovery({ proxyId: 'p', path: folder })
  await recovery.prepare()
  if (recovery.accepted > 0) report(recovery.accepted)
  await recovery.publishAll(queue.publish)
}

/** All records are on disk by then. */
const endOfTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Copies the folder, so that recovery does not see later writes. */
function leaveTurn(): void {
  const asItIs = temporaryFolder()
  cpSync(folder, asItIs, { recursive: true })
  rmSync(folder, { recursive: true })
  folder = asItIs
}

const step = fc.oneof(
  fc.record({ do: fc.constant('begin' as const), confirm: fc.boolean() }),
  fc.record({ do: fc.constant('end' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('update' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('reject' as const) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(100, 1_500, 12_000) }),
  fc.record({ do: fc.constant('report' as const) }),
  fc.record({ do: fc.constant('ship' as const), limit: fc.integer({ min: 1, max: 4 }), acknowledge: fc.nat(4) }),
)

test('whenever the proxy and its recovery crash, every accepted request is logged exactly once', async () => {
  const crashes = fc.array(fc.nat(4), { maxLength: 4 })
  const torn = fc.constantFrom('', 'E0199', 'Bhalf a line', `E${requestEvent().id}{"id":`)
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.boolean(),
      crashes,
      torn,
      async (steps, inTurn, recoveryCrashes, tail) => {
        folder = temporaryFolder()
        let now = Date.now()
        const queue = new TestQueue()
        const spool = openSpool(() => now)
        const open: OpenRequest[] = []
        /** The outcome that the log of each request must have. */
        const known = new Map<string, string>()
        let reported = 0
        const report = (accepted: number) => (reported = accepted)
        for (const each of steps) {
          if (each.do === 'begin') {
            const event = requestEvent({ outcome: 'interrupted' })
            const begun = spool.begin(event)
            if (each.confirm) spool.confirm(begun)
            open.push(begun)
            known.set(event.id, 'interrupted')
          } else if (each.do === 'update' && open.length > 0) {
            void spool.update(open[each.which % open.length]!)
          } else if (each.do === 'end' && open.length > 0) {
            const [begun] = open.splice(each.which % open.length, 1)
            const event = { ...begun!.event, outcome: 'completed' as const }
            void spool.end(event, begun).then(() => known.set(event.id, 'completed'))
          } else if (each.do === 'reject') {
            const event = requestEvent({ status: 400 })
            void spool.end(event).then(() => known.set(event.id, 'completed'))
          } else if (each.do === 'wait') now += each.ms
          else if (each.do === 'report') report(spool.accepted)
          else if (each.do === 'ship') await ship(spool, queue, { ...each, reported })
        }
        // Lets resolved promises run their callbacks.
        await Promise.resolve()
        if (inTurn) leaveTurn()
        else await endOfTurn()
        const expected = new Map(known)
        // These were not sent to the provider.
        for (const { event, isNoted } of open) if (!isNoted) expected.delete(event.id)
        expect(spool.accepted).toBe(expected.size)
        const segments = readdirSync(folder).toSorted()
        if (tail && segments.length > 0) appendFileSync(join(folder, segments.at(-1)!), tail)

        for (const calls of recoveryCrashes) {
          queue.failAfter = calls
          await recover(queue, report).catch(() => undefined)
        }
        queue.failAfter = Number.POSITIVE_INFINITY
        await recover(queue, report)
        expect(reported).toBe(expected.size)
        const logged = queue.events.map(({ id, outcome }) => [id, outcome])
        expect(logged.toSorted()).toEqual([...expected].toSorted())
      },
    ),
    { numRuns: 200 },
  )
})

test('a slow request does not keep old segments', async () => {
  let now = Date.now()
  const spool = openSpool(() => now)
  const queue = new TestQueue()
  const slow = requestEvent({ outcome: 'interrupted' })
  const begun = spool.begin(slow)
  for (let at = 0; at < 20; at += 1) {
    spool.end(requestEvent())
    now += 2_000
    await ship(spool, queue)
  }
  expect(readdirSync(folder).length).toBeLessThanOrEqual(5)
  spool.end({ ...slow, outcome: 'completed' }, begun)
  now += 20_000
  await ship(spool, queue)
  expect(readdirSync(folder)).toEqual([])
  expect(queue.events).toHaveLength(21)
  expect([spool.events, spool.bytes]).toEqual([0, 0])
})

test('segments are shipped and removed after the clock was set back', async () => {
  let now = Date.now()
  const spool = openSpool(() => now)
  const queue = new TestQueue()
  const begun = spool.begin(requestEvent())
  await spool.end(requestEvent())
  now -= hour
  await ship(spool, queue)
  expect(queue.events).toHaveLength(1)
  await spool.end(begun.event, begun)
  now -= hour
  await ship(spool, queue)
  expect(readdirSync(folder)).toEqual([])
})

test('thousands of slow requests are recorded again a few at a time', async () => {
  let now = Date.now()
  const spool = openSpool(() => now)
  const queue = new TestQueue()
  const open = Array.from({ length: 2_000 }, () => spool.begin(requestEvent({ outcome: 'interrupted' })))
  spool.end(requestEvent())
  now += 6_000
  let [turns, isOver] = [0, false]
  const count = () => void setImmediate(() => !isOver && ((turns += 1), count()))
  count()
  await ship(spool, queue)
  isOver = true
  expect(turns).toBeGreaterThan(20)
  expect(readdirSync(folder)).toHaveLength(1)
  for (const begun of open) spool.end({ ...begun.event, outcome: 'completed' }, begun)
  now += 6_000
  for (let at = 0; at < 3; at += 1) await ship(spool, queue)
  expect(readdirSync(folder)).toEqual([])
  expect(queue.events).toHaveLength(2_001)
  expect([spool.events, spool.bytes]).toEqual([0, 0])
}, 20_000)

test('new requests are rejected while there is still room for the ends of the others', () => {
  const spool = new Spool(folder, { maxBytes: 64 * 1_024 })
  const begun: OpenRequest[] = []
  expect(() => {
    for (;;) begun.push(spool.begin(requestEvent()))
  }).toThrow(SpoolFullError)
  expect(spool.fullness).toBeGreaterThanOrEqual(0.95)
  for (const request of begun) spool.end(request.event, request)
  expect(spool.events).toBe(begun.length)
})

test('requests are rejected when the disk is nearly full, or filled by other spools', () => {
  const spool = openSpool()
  spool.begin(requestEvent())
  spool.noteDisk({ freeBytes: 500_000, foreignBytes: 0 })
  expect(() => spool.begin(requestEvent())).toThrow(SpoolFullError)
  spool.noteDisk({ freeBytes: 2 ** 32, foreignBytes: 0.96 * 2 ** 30 })
  expect(() => spool.begin(requestEvent())).toThrow(SpoolFullError)
  spool.noteDisk({ freeBytes: 2 ** 32, foreignBytes: 0 })
  spool.begin(requestEvent())
})

test('without its folder the spool rejects new requests, and ships the ends of others from memory', async () => {
  const spool = openSpool()
  const queue = new TestQueue()
  const event = requestEvent()
  const begun = spool.begin(event)
  for (let at = 0; at < 1_000; at += 1) spool.end(requestEvent())
  rmSync(folder, { recursive: true })
  expect(() => spool.confirm(spool.begin(requestEvent()))).toThrow(SpoolFullError)
  spool.end({ ...event, outcome: 'completed' }, begun)
  await endOfTurn()
  await ship(spool, queue)
  expect(queue.events).toHaveLength(1_001)
})

test('after a failed write the end is shipped from memory, and not written later', async () => {
  const spool = openSpool()
  const [queue, recovered] = [new TestQueue(), new TestQueue()]
  const [failed, written] = [requestEvent(), requestEvent()]
  rmSync(folder, { recursive: true })
  spool.end(failed)
  mkdirSync(folder)
  spool.end(written)
  await recover(recovered)
  expect(recovered.events.map(({ id }) => id)).toEqual([written.id])
  await ship(spool, queue)
  expect(queue.events.map(({ id }) => id)).toEqual([failed.id])
})

test('requests that begin in one turn share one write', () => {
  const spool = openSpool()
  const [one, other] = [spool.begin(requestEvent()), spool.begin(requestEvent())]
  expect([one.isNoted, other.isNoted, spool.bytes, spool.accepted, spool.events]).toEqual([false, false, 0, 0, 0])
  spool.confirm(one)
  expect([one.isNoted, other.isNoted, spool.accepted, spool.events]).toEqual([true, true, 2, 2])
  const { bytes } = spool
  spool.confirm(other)
  expect(spool.bytes).toBe(bytes)
})

test('requests whose beginnings could not be written are rejected, and their ends shipped from memory', async () => {
  const spool = openSpool()
  const queue = new TestQueue()
  rmSync(folder, { recursive: true })
  const [one, other] = [spool.begin(requestEvent()), spool.begin(requestEvent())]
  await endOfTurn()
  for (const failed of [one, other]) expect(() => spool.confirm(failed)).toThrow(SpoolFullError)
  expect([spool.events, spool.accepted, spool.bytes]).toEqual([0, 0, 0])
  spool.end({ ...other.event, outcome: 'client_aborted' }, other)
  expect([spool.events, spool.accepted]).toEqual([1, 1])
  await ship(spool, queue)
  expect(queue.events).toMatchObject([{ id: other.event.id, outcome: 'client_aborted' }])
})

test('a request that ends in the turn in which it began counts once, with a disk and without', async () => {
  for (const hasDisk of [true, false]) {
    const spool = openSpool()
    const queue = new TestQueue()
    if (!hasDisk) rmSync(folder, { recursive: true })
    const begun = spool.begin(requestEvent())
    spool.end({ ...begun.event, outcome: 'completed' }, begun)
    expect([spool.events, spool.accepted]).toEqual([1, 1])
    await endOfTurn()
    await ship(spool, queue, { force: true })
    expect(queue.events.map(({ id }) => id)).toEqual([begun.event.id])
    expect(spool.events).toBe(0)
  }
})
