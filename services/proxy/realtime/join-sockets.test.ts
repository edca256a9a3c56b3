import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { RequestLogBuilder } from '../log/request-log-builder.ts'
import { joinSockets } from './join-sockets.ts'

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

const log = { event: { model: 'a', requestBytes: 0, responseBytes: 0 } } as RequestLogBuilder

test.each([
  ['of a client whose messages are checked', 'client', { checkMessage: async () => undefined }],
  ['of a client whose responses are counted', 'client', { checkRequest: async () => undefined }],
  ['of a provider', 'provider', {}],
] as const)('a flood of messages %s leaves turns to everything else', async (_whose, sender, changes) => {
  const [client, upstream] =
    sender === 'client' ? [openSocket(sender), openSocket()] : [openSocket(), openSocket(sender)]
  const [source, target] = sender === 'client' ? [client, upstream] : [upstream, client]
  void joinSockets(
    {
      client,
      upstream,
      head: Buffer.alloc(0),
      secret: 'none',
      share: { takeBytes: () => undefined },
      checkMessage: undefined,
      checkModel: () => undefined,
      likelyPromptTokens: () => 0,
      checkRequest: undefined,
      checkSpending: undefined,
      ...changes,
    },
    log,
  )
  let turns = 0
  for (; target.received < source.expected; turns += 1) await nextTurn()
  expect(turns).toBeGreaterThanOrEqual(10)
})
