import { once } from 'node:events'
import { get, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { useTestBench } from './gateway.fixture.ts'
import { okHead } from './raw-upstream.fixture.ts'

const bench = await useTestBench()
const gateway = await bench.startGateway()

const total = 64 * mib
/** A generous limit for the buffers of the sockets in between. */
const bounded = 48 * mib
const block = Buffer.alloc(mib, 'x')

/** Writes the whole body, and waits until the other side stops reading. */
async function writeUntilStuck(socket: Writable, from = 0): Promise<{ sent: number; done: Promise<void> }> {
  let sent = from
  const write = async () => {
    for (; sent < total; sent += block.length) if (!socket.write(block)) await once(socket, 'drain')
  }
  const done = write()
  done.catch(() => undefined)
  for (let last = -1; last !== sent; await setTimeout(300)) last = sent
  return { sent, done }
}

test.each(['text/event-stream', 'application/octet-stream', 'application/json'])(
  'a client that does not read %s slows the provider down, and gets all of it in the end',
  async (type) => {
    const requested = Promise.withResolvers<Socket>()
    const { account } = await bench.createAccountWithUpstream((socket) => requested.resolve(socket))
    const responding = new Promise<IncomingMessage>((resolve, reject) =>
      get(`${gateway.baseURL}/files/x/content`, { headers: account.headers }, resolve).on('error', reject),
    )
    const socket = await requested.promise
    socket.write(okHead(`content-type: ${type}`, `content-length: ${total}`))
    const { sent, done } = await writeUntilStuck(socket)
    expect(sent).toBeLessThan(bounded)
    let received = 0
    for await (const bytes of (await responding) as AsyncIterable<Buffer>) received += bytes.length
    await done
    expect(received).toBe(total)
  },
)

test('a client that reads nothing for too long has left', async () => {
  const impatient = await bench.startGateway({ unreadTimeoutMs: 500 })
  const { account, upstream } = await bench.createAccountWithUpstream((socket) => {
    socket.write(okHead('content-type: audio/mpeg', `content-length: ${total}`))
    for (let sent = 0; sent < total; sent += block.length) socket.write(block)
  })
  const unread = get(`${impatient.baseURL}/files/x/content`, { headers: account.headers }, () => undefined)
  unread.on('error', () => undefined)
  const [event] = await bench.events.ofAccount(account.accountId, 1)
  expect(event).toMatchObject({ status: 200, outcome: 'client_aborted' })
  await expect.poll(() => upstream.sockets.size).toBe(0)
  unread.destroy()
})

test('a provider that does not read an upload slows the client down', async () => {
  const { account, upstream } = await bench.createAccountWithUpstream(() => undefined, { config: { timeout: 10_000 } })
  const headers = { ...account.headers, 'content-length': String(total) }
  const outgoing = request(`${gateway.baseURL}/files`, { method: 'POST', headers })
  outgoing.on('error', () => undefined)
  outgoing.write(block)
  await expect.poll(() => upstream.sockets.size).toBe(1)
  for (const socket of upstream.sockets) socket.pause()
  expect((await writeUntilStuck(outgoing, block.length)).sent).toBeLessThan(bounded)
  outgoing.destroy()
})
