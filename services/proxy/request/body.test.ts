import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
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
