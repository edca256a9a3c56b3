import { expect, onTestFinished, test, vi } from 'vitest'
import { second } from '#core/units.ts'
import { SessionReader } from './session-reader.ts'

const start = { type: 'session.start', session: { model: 'gpt-live-1' } }
const started = { type: 'session.started', session: { model: 'gpt-live-1' } }
const append = { type: 'session.input_audio.append' }
const error = { type: 'error', error: {} }
const report = (seconds: number, type = 'session.usage.updated') => ({ type, usage: { seconds } })
const closed = report(90, 'session.closed')

const encode = (message: object) => Buffer.from(JSON.stringify(message))

/** A session that is billed by its duration, and whose time stands still unless it passes. */
function openSession() {
  let now = 1_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const reader = new SessionReader(() => 4_096, true)
  return {
    reader,
    send: (message: object) => reader.send(encode(message)),
    read: (message: object) => reader.read(encode(message)),
    pass: (seconds: number) => void (now += seconds * second),
    seconds: () => reader.duration?.usage?.seconds,
  }
}

test('the time counts from the request to start, also before its confirmation', () => {
  const { reader, send, read, pass, seconds } = openSession()
  send(start)
  pass(5)
  expect(reader.duration).toMatchObject({ model: 'gpt-live-1', usage: { seconds: 5 } })
  read(started)
  pass(1)
  expect(seconds()).toBe(6)
})

test('text of a response that the backend has not ended counts', () => {
  const { reader, read } = openSession()
  const ofBackend = (event: object) => read({ type: 'response.event', event })
  ofBackend({ type: 'response.created', response: { model: 'gpt-5' } })
  ofBackend({ type: 'response.output_text.delta', delta: 'Hello, how are you?' })
  const usage = { promptTokens: 4_096, completionTokens: 5, isPartial: true }
  expect(reader.takeUnfinished()).toMatchObject([{ model: 'gpt-5', usage }])
})

test('a decision without a readable usage takes a likely prompt', () => {
  const { read } = openSession()
  read({ ...started, session: { model: 'gpt-live-1', delegation: { decisions: { model: 'gpt-5' } } } })
  const decided = read({ type: 'decision.event', event: { type: 'decision.completed', decision: { answers: [] } } })
  expect(decided).toMatchObject({ model: 'gpt-5', usage: { promptTokens: 4_096, isPartial: true } })
})

test('a request to start a session that has ended counts no time', () => {
  const { reader, send, pass } = openSession()
  reader.takeUnfinished()
  send(start)
  pass(5)
  expect(reader.duration).toBeUndefined()
  expect(reader.takeUnfinished()).toEqual([])
})

test('the time of a fork counts once its model is known, from the request to start it', () => {
  const { send, read, pass, seconds } = openSession()
  send({ ...start, session: {} })
  pass(5)
  expect(seconds()).toBeUndefined()
  read(started)
  expect(seconds()).toBe(5)
})

test('an error ends the time of a session that it keeps from starting, but not if it may concern another message', () => {
  const { send, read, pass, seconds } = openSession()
  send(start)
  read(error)
  pass(600)
  expect(seconds()).toBeUndefined()
  send(start)
  send(append)
  pass(5)
  read(error)
  expect(seconds()).toBe(5)
})

test.each([closed, report(95), { ...started, type: 'session.updated' }, started])(
  'nothing that comes after the report of the end counts: %j',
  (message) => {
    const { reader, read, pass } = openSession()
    read(started)
    expect(read(closed)).toMatchObject({ usage: { seconds: 90 } })
    expect(read(message)).toBeUndefined()
    pass(60)
    expect(reader.takeUnfinished()).toEqual([])
  },
)

test('the time after the longest duration that a provider can report costs as much', () => {
  const { read, pass, seconds } = openSession()
  read(started)
  const longest = 0xffff_ffff
  read(report(longest))
  pass(1)
  expect(seconds()).toBe(longest)
})
