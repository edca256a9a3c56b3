import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { requestEvent } from '#store/clickhouse/request-event.fixture.ts'
import { type Batch, Recovery } from './recovery.ts'
import type { OpenRequest } from './segment.ts'
import { Spool } from './spool.ts'
import { SpoolFullError } from './spool-full-error.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-spool-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A queue that takes each batch once, as BullMQ and the worker's ledger do together, and can fail. */
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

interface Shipment {
  limit: number
  acknowledge: number
  /** How many accepted requests the accounts know of. */
  told?: number
}

async function ship(spool: Spool, queue: TestQueue, options: Shipment): Promise<void> {
  const segments = spool.next({ limit: options.limit })
  for (const [at, segment] of segments.entries()) {
    await queue.publish({ id: segment.batchId, count: segment.endCount, text: await segment.readText() })
    // Redis has it, but the proxy may die before it knows.
    if (at < options.acknowledge) spool.markShipped(segment)
  }
  await spool.removeShipped(options.told ?? spool.accepted)
}

/** @param tell how many requests the dead proxy had accepted, if that can be seen */
async function recover(queue: TestQueue, tell: (accepted: number) => void = () => undefined): Promise<void> {
  const recovery = new Recovery({ proxyId: 'p', path: folder })
  await recovery.prepare()
  if (recovery.accepted > 0) tell(recovery.accepted)
  await recovery.publishAll(queue.publish)
}

/** By then everything that has ended is on disk. */
const endOfTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Nothing that is to be written later is ever written: recovery finds what is on disk now. */
function leaveTurn(): void {
  const asItIs = mkdtempSync(join(tmpdir(), 'sallyport-spool-'))
  cpSync(folder, asItIs, { recursive: true })
  rmSync(folder, { recursive: true })
  folder = asItIs
}

const step = fc.oneof(
  fc.record({ do: fc.constant('begin' as const), confirm: fc.boolean() }),
  fc.record({ do: fc.constant('end' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('update' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('refuse' as const) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(100, 1_500, 12_000) }),
  fc.record({ do: fc.constant('tell' as const) }),
  fc.record({ do: fc.constant('ship' as const), limit: fc.integer({ min: 1, max: 4 }), acknowledge: fc.nat(4) }),
)

test('whenever the proxy and whoever recovers it die, every accepted request is logged exactly once', async () => {
  const crashes = fc.array(fc.nat(4), { maxLength: 4 })
  const torn = fc.constantFrom('', 'E0199', 'Bhalf a line', `E${requestEvent().id}{"id":`)
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.boolean(),
      crashes,
      torn,
      async (steps, inTurn, recoveryCrashes, tail) => {
        rmSync(folder, { recursive: true, force: true })
        folder = mkdtempSync(join(tmpdir(), 'sallyport-spool-'))
        let now = Date.now()
        const queue = new TestQueue()
        const spool = new Spool(folder, { maxBytes: 2 ** 30, now: () => now })
        const open: OpenRequest[] = []
        /** How each request is logged, by what its client may know of it. */
        const known = new Map<string, string>()
        let told = 0
        const tell = (accepted: number) => (told = accepted)
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
          } else if (each.do === 'refuse') {
            const event = requestEvent({ status: 400 })
            void spool.end(event).then(() => known.set(event.id, 'completed'))
          } else if (each.do === 'wait') now += each.ms
          else if (each.do === 'tell') tell(spool.accepted)
          else if (each.do === 'ship') await ship(spool, queue, { ...each, told })
        }
        // Whoever was told so far has heard of it; the turn goes on.
        await Promise.resolve()
        if (inTurn) leaveTurn()
        else await endOfTurn()
        const expected = new Map(known)
        // None of these went to the provider.
        for (const { event, isNoted } of open) if (!isNoted) expected.delete(event.id)
        expect(spool.accepted).toBe(expected.size)
        const segments = readdirSync(folder).toSorted()
        if (tail && segments.length > 0) appendFileSync(join(folder, segments.at(-1)!), tail)

        for (const calls of recoveryCrashes) {
          queue.failAfter = calls
          await recover(queue, tell).catch(() => undefined)
        }
        queue.failAfter = Number.POSITIVE_INFINITY
        await recover(queue, tell)
        expect(told).toBe(expected.size)
        const logged = queue.events.map(({ id, outcome }) => [id, outcome])
        expect(logged.toSorted()).toEqual([...expected].toSorted())
      },
    ),
    { numRuns: 500 },
  )
})

test('a request that takes long does not hold old segments back', async () => {
  let now = Date.now()
  const spool = new Spool(folder, { maxBytes: 2 ** 30, now: () => now })
  const queue = new TestQueue()
  const slow = requestEvent({ outcome: 'interrupted' })
  const begun = spool.begin(slow)
  for (let at = 0; at < 20; at += 1) {
    spool.end(requestEvent())
    now += 2_000
    await ship(spool, queue, { limit: 4, acknowledge: 4 })
  }
  expect(readdirSync(folder).length).toBeLessThanOrEqual(5)
  spool.end({ ...slow, outcome: 'completed' }, begun)
  now += 20_000
  await ship(spool, queue, { limit: 4, acknowledge: 4 })
  expect(readdirSync(folder)).toEqual([])
  expect(queue.events).toHaveLength(21)
  expect([spool.events, spool.bytes]).toEqual([0, 0])
})

test('thousands of requests that take long are noted again a few at a time', async () => {
  let now = Date.now()
  const spool = new Spool(folder, { maxBytes: 2 ** 30, now: () => now })
  const queue = new TestQueue()
  const open = Array.from({ length: 2_000 }, () => spool.begin(requestEvent({ outcome: 'interrupted' })))
  spool.end(requestEvent())
  now += 6_000
  let [turns, isOver] = [0, false]
  const count = () => void setImmediate(() => !isOver && ((turns += 1), count()))
  count()
  await ship(spool, queue, { limit: 4, acknowledge: 4 })
  isOver = true
  expect(turns).toBeGreaterThan(20)
  expect(readdirSync(folder)).toHaveLength(1)
  for (const begun of open) spool.end({ ...begun.event, outcome: 'completed' }, begun)
  now += 6_000
  for (let at = 0; at < 3; at += 1) await ship(spool, queue, { limit: 4, acknowledge: 4 })
  expect(readdirSync(folder)).toEqual([])
  expect(queue.events).toHaveLength(2_001)
  expect([spool.events, spool.bytes]).toEqual([0, 0])
}, 20_000)

test('new requests are turned away before there is no room to log how the others end', () => {
  const spool = new Spool(folder, { maxBytes: 64 * 1_024 })
  const begun: OpenRequest[] = []
  expect(() => {
    for (;;) begun.push(spool.begin(requestEvent()))
  }).toThrow(SpoolFullError)
  expect(spool.fullness).toBeGreaterThanOrEqual(0.95)
  for (const request of begun) spool.end(request.event, request)
  expect(spool.events).toBe(begun.length)
})

test('a disk that is nearly full turns requests away, whoever filled it', () => {
  const spool = new Spool(folder, { maxBytes: 2 ** 30 })
  spool.begin(requestEvent())
  spool.noteDisk({ freeBytes: 500_000, foreignBytes: 0 })
  expect(() => spool.begin(requestEvent())).toThrow(SpoolFullError)
  spool.noteDisk({ freeBytes: 2 ** 32, foreignBytes: 0.96 * 2 ** 30 })
  expect(() => spool.begin(requestEvent())).toThrow(SpoolFullError)
  spool.noteDisk({ freeBytes: 2 ** 32, foreignBytes: 0 })
  spool.begin(requestEvent())
})

test('with a folder that is gone nothing new is let in, and what ends is shipped from memory', async () => {
  const spool = new Spool(folder, { maxBytes: 2 ** 30 })
  const queue = new TestQueue()
  const event = requestEvent()
  const begun = spool.begin(event)
  for (let at = 0; at < 1_000; at += 1) spool.end(requestEvent())
  rmSync(folder, { recursive: true })
  expect(() => spool.confirm(spool.begin(requestEvent()))).toThrow(SpoolFullError)
  spool.end({ ...event, outcome: 'completed' }, begun)
  await endOfTurn()
  await ship(spool, queue, { limit: 10, acknowledge: 10 })
  expect(queue.events).toHaveLength(1_001)
})

test('what the disk refused is shipped from memory, and not written once it is back', async () => {
  const spool = new Spool(folder, { maxBytes: 2 ** 30 })
  const [queue, recovered] = [new TestQueue(), new TestQueue()]
  const [refused, written] = [requestEvent(), requestEvent()]
  rmSync(folder, { recursive: true })
  spool.end(refused)
  mkdirSync(folder)
  spool.end(written)
  await recover(recovered)
  expect(recovered.events.map(({ id }) => id)).toEqual([written.id])
  await ship(spool, queue, { limit: 10, acknowledge: 10 })
  expect(queue.events.map(({ id }) => id)).toEqual([refused.id])
})

test('requests that begin in one turn are one write, before the first of them goes to the provider', () => {
  const spool = new Spool(folder, { maxBytes: 2 ** 30 })
  const [one, other] = [spool.begin(requestEvent()), spool.begin(requestEvent())]
  expect([one.isNoted, other.isNoted, spool.bytes, spool.accepted]).toEqual([false, false, 0, 0])
  spool.confirm(one)
  expect([one.isNoted, other.isNoted, spool.accepted]).toEqual([true, true, 2])
  const { bytes } = spool
  spool.confirm(other)
  expect(spool.bytes).toBe(bytes)
})

test('of requests whose beginnings the disk refused none goes on, and what is said of them is shipped from memory', async () => {
  const spool = new Spool(folder, { maxBytes: 2 ** 30 })
  const queue = new TestQueue()
  rmSync(folder, { recursive: true })
  const [one, other] = [spool.begin(requestEvent()), spool.begin(requestEvent())]
  await endOfTurn()
  for (const refused of [one, other]) expect(() => spool.confirm(refused)).toThrow(SpoolFullError)
  expect([spool.events, spool.accepted, spool.bytes]).toEqual([0, 0, 0])
  spool.end({ ...other.event, outcome: 'client_aborted' }, other)
  expect([spool.events, spool.accepted]).toEqual([1, 1])
  await ship(spool, queue, { limit: 10, acknowledge: 10 })
  expect(queue.events).toMatchObject([{ id: other.event.id, outcome: 'client_aborted' }])
})

test('a request that ends in the turn in which it began is one, with a disk and without', async () => {
  for (const hasDisk of [true, false]) {
    const spool = new Spool(folder, { maxBytes: 2 ** 30 })
    const queue = new TestQueue()
    if (!hasDisk) rmSync(folder, { recursive: true })
    const begun = spool.begin(requestEvent())
    spool.end({ ...begun.event, outcome: 'completed' }, begun)
    expect([spool.events, spool.accepted]).toEqual([1, 1])
    await endOfTurn()
    for (const segment of spool.next({ force: true })) {
      await queue.publish({ id: segment.batchId, count: segment.endCount, text: await segment.readText() })
      spool.markShipped(segment)
    }
    expect(queue.events.map(({ id }) => id)).toEqual([begun.event.id])
    expect(spool.events).toBe(0)
    await spool.removeShipped(spool.accepted)
  }
})
