import { EventEmitter, once } from 'node:events'
import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { minute, second } from '#core/units.ts'
import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'
import type { RequestLogBuilder } from '../log/request-log-builder.ts'
import { SessionReader } from '../usage/session-reader.ts'
import { encodeFrame } from './frame-header.ts'
import { joinSockets, type Sockets } from './join-sockets.ts'

const messages = 40_000
/** `{}` from a client, whose mask consists of zeros, and from a provider. */
const frames = { client: [0x81, 0x82, 0, 0, 0, 0, 0x7b, 0x7d], provider: [0x81, 2, 0x7b, 0x7d] }

/** A socket on which many messages have arrived at once, or none. */
function openSocket(sender?: keyof typeof frames) {
  const frame = sender ? Buffer.from(frames[sender]) : Buffer.alloc(0)
  const chunk = Buffer.concat(Array.from({ length: messages / 10 }, () => frame))
  let left = sender ? 10 : 0
  const socket = Object.assign(
    new Duplex({
      read() {
        if (left-- > 0) this.push(chunk)
      },
      write(bytes: Buffer, _encoding, done) {
        socket.received += bytes.length
        done()
      },
    }),
    { received: 0, expected: chunk.length * 10 },
  )
  return socket
}

const log = Object.assign({ event: { model: 'a', requestBytes: 0, responseBytes: 0 } } as RequestLogBuilder, {
  responseEnded: () => undefined,
  failed: () => undefined,
})

const join = (sockets: Pick<Sockets, 'client' | 'upstream'> & Partial<Sockets>) =>
  joinSockets(
    {
      head: Buffer.alloc(0),
      secret: 'none',
      share: { takeBytes: () => undefined },
      sessionEnd: new EventEmitter(),
      checkMessage: undefined,
      session: new SessionReader(() => 0),
      checkModel: () => undefined,
      checkRequest: undefined,
      requestsNameModels: false,
      checkSpending: undefined,
      ...sockets,
    },
    log,
  )

test.each([
  ['of a client whose messages are checked', 'client', { checkMessage: async () => undefined }],
  ['of a client whose responses are counted', 'client', { checkRequest: async () => undefined }],
  ['of a provider', 'provider', {}],
] as const)('a flood of messages %s leaves turns to everything else', async (_whose, sender, changes) => {
  const [client, upstream] =
    sender === 'client' ? [openSocket(sender), openSocket()] : [openSocket(), openSocket(sender)]
  const [source, target] = sender === 'client' ? [client, upstream] : [upstream, client]
  void join({ client, upstream, ...changes })
  let turns = 0
  for (; target.received < source.expected; turns += 1) await nextTurn()
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('a client that has yet to take the last messages gets them after the provider has closed the connection', async () => {
  const received: Buffer[] = []
  let isTaking = false
  const client = new Duplex({
    read: () => undefined,
    write(bytes: Buffer, _encoding, done) {
      received.push(bytes)
      if (isTaking) done()
      else client.once('take', done)
    },
  })
  const upstream = openSocket()
  const joined = join({ client, upstream })
  for (const frame of [frames.provider, [0x88, 0]]) upstream.push(Buffer.from(frame))
  upstream.push(null)
  await once(upstream, 'end')
  upstream.destroy()
  await once(upstream, 'close')
  isTaking = true
  client.emit('take')
  client.push(null)
  expect(await joined).toBe('completed')
  expect(Buffer.concat(received)).toEqual(Buffer.from([...frames.provider, 0x88, 0]))
})

test('a client that takes nothing of the last messages is given up, though it goes on sending', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const client = new Duplex({ read: () => undefined, write: () => undefined })
  const upstream = openSocket()
  const joined = join({ client, upstream })
  upstream.push(Buffer.from(frames.provider))
  await once(upstream, 'data')
  upstream.destroy()
  await once(upstream, 'close')
  await vi.advanceTimersByTimeAsync(5 * minute)
  expect(client.destroyed).toBe(true)
  expect(await joined).toBe('completed')
})

test('row 55: a live session with a budget ends soon after its client takes no more, though it takes a little now and then', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const client = new Duplex({
    writableHighWaterMark: 1,
    read: () => undefined,
    write: (_bytes, _encoding, done) => client.once('take', done),
  })
  const upstream = openSocket()
  const session = new SessionReader(() => 0, true)
  const joined = join({ client, upstream, session, checkRequest: async () => undefined })
  for (let nth = 0; nth < 11; nth += 1) {
    expect(client.destroyed).toBe(false)
    client.emit('take')
    upstream.push(Buffer.from(frames.provider))
    while (!client.writableNeedDrain) await nextTurn()
    vi.advanceTimersByTime(second)
  }
  expect(client.destroyed).toBe(true)
  expect(await joined).toBe('client_aborted')
})

test('a client that has ended is noticed, though its next request was being checked when the session ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const [client, upstream] = [openSocket(), openSocket()]
  const check = Promise.withResolvers<ProxyErrorCode>()
  const checkRequest = vi.fn(() => check.promise)
  const joined = join({ client, upstream, checkRequest, checkSpending: async () => 'budget_exceeded' })
  client.push(Buffer.from(frames.client))
  await vi.waitFor(() => expect(checkRequest).toHaveBeenCalled())
  upstream.push(encodeFrame(1, Buffer.from('{"type":"response.done","response":{"usage":{"input_tokens":1}}}')))
  await once(client, 'finish')
  check.resolve('budget_exceeded')
  client.push(null)
  expect(await joined).toBe('completed')
})
