import { once } from 'node:events'
import { get, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import { startRawUpstream } from './raw-upstream.fixture.ts'

let bench: TestBench
let gateway: Gateway
beforeAll(async () => {
  bench = await openTestBench()
  gateway = await bench.startGateway()
})
afterAll(() => bench.stop())

const total = 96 * mib
/** What the sockets' own buffers on the way may hold, generously. */
const bounded = 48 * mib
const block = Buffer.alloc(mib, 'x')

/** Waits until a count no longer grows. */
async function settled(count: () => number): Promise<number> {
  for (let last = -1; ; last = count()) {
    await setTimeout(300)
    if (count() === last) return last
  }
}

test.each(['text/event-stream', 'application/octet-stream', 'application/json'])(
  'a client that does not read %s holds the provider back, and gets all of it in the end',
  async (type) => {
    const asked = Promise.withResolvers<Socket>()
    const upstream = await startRawUpstream((socket) => asked.resolve(socket))
    const account = await bench.createTestAccount({ config: { baseUrl: upstream.origin } })
    const answering = new Promise<IncomingMessage>((resolve, reject) =>
      get(`${gateway.baseURL}/files/x/content`, { headers: account.headers }, resolve).on('error', reject),
    )
    const socket = await asked.promise
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${total}\r\n\r\n`)
    let sent = 0
    const pump = async () => {
      for (; sent < total; sent += block.length) if (!socket.write(block)) await once(socket, 'drain')
    }
    const pumping = pump()
    const answer = await answering
    expect(await settled(() => sent)).toBeLessThan(bounded)
    let received = 0
    for await (const bytes of answer as AsyncIterable<Buffer>) received += bytes.length
    await pumping
    expect(received).toBe(total)
    await upstream.stop()
  },
)

test('a provider that does not read an upload holds the client back', async () => {
  const upstream = await startRawUpstream(() => undefined)
  const account = await bench.createTestAccount({ config: { baseUrl: upstream.origin, timeout: 10_000 } })
  const outgoing = request(`${gateway.baseURL}/files`, {
    method: 'POST',
    headers: { ...account.headers, 'content-length': String(total) },
  })
  outgoing.on('error', () => undefined)
  outgoing.write(block)
  await expect.poll(() => upstream.sockets.size).toBe(1)
  for (const socket of upstream.sockets) socket.pause()
  let sent = block.length
  const pump = async () => {
    for (; sent < total; sent += block.length) if (!outgoing.write(block)) await once(outgoing, 'drain')
  }
  pump().catch(() => undefined)
  expect(await settled(() => sent)).toBeLessThan(bounded)
  outgoing.destroy()
  await upstream.stop()
})
