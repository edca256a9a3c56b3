import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { SharedLimit } from '#core/limits/shared-limit.ts'
import { mib, second } from '#core/units.ts'
import { takeBody } from './body.ts'
import { drainBriefly } from './drain-briefly.ts'
import { RequestShare } from './request-share.ts'

afterEach(() => void vi.useRealTimers())

const limit = () => new SharedLimit({ account: mib, process: mib })

function share() {
  const taken = RequestShare.take({ requests: limit(), bodyBytes: limit() }, 'a')
  if (typeof taken === 'string') throw new Error(taken)
  return taken
}

function requestOf(length: number) {
  const request = new IncomingMessage(new Socket())
  request.headers['content-length'] = String(length)
  return request
}

test.each([
  ['before', true],
  ['while', false],
])('a client that disconnects %s its body is read is not waited for', async (_when, isEarly) => {
  const request = requestOf(100)
  if (isEarly) request.destroy()
  const taken = async () => takeBody(request, new ServerResponse(request), { maxBytes: mib, share: share() })
  const rejected = expect(taken()).rejects.toThrow('aborted')
  if (!isEarly) request.destroy(new Error('aborted'))
  await rejected
})

test('a body that has arrived is not waited for, and the request still ends', async () => {
  const request = requestOf(5)
  request.push(Buffer.from('hello'))
  const body = takeBody(request, new ServerResponse(request), { maxBytes: mib, share: share() })
  expect(body).toEqual({ bytes: Buffer.from('hello'), length: 5 })
  const ended = once(request, 'end')
  request.push(null)
  await ended
})

test('what arrives of an upload while the process is suspended is in time, and silence still ends it', async () => {
  const request = requestOf(11 * mib)
  const taken = await takeBody(request, new ServerResponse(request), { maxBytes: 12 * mib, share: share() })
  if (!taken || !('stream' in taken)) throw new Error('an upload of 11 MiB is a stream')
  const chunks = taken.stream.iterator()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const next = chunks.next()
  await setImmediate()
  vi.advanceTimersByTime(31 * second)
  request.push('late')
  expect(String((await next).value)).toBe('late')
  const last = expect(chunks.next()).rejects.toMatchObject({ code: 'body_timeout' })
  await setImmediate()
  vi.advanceTimersByTime(31 * second)
  await last
})

test('the rest of a rejected upload is read for as long as 25 MB take over a slow line; an endless one is cut off', () => {
  vi.useFakeTimers()
  const request = requestOf(25 * mib)
  const { socket } = request
  drainBriefly(request)
  vi.advanceTimersByTime(29 * second)
  expect(socket.destroyed).toBe(false)
  vi.advanceTimersByTime(2 * second)
  expect(socket.destroyed).toBe(true)
})
