import { expect, test } from 'vitest'
import { sessionPool } from './session-pool.ts'

const patienceMs = 50

function sessions(count: number) {
  const hanging = new Map<number, PromiseWithResolvers<number>>()
  let calls = 0
  const all = Array.from({ length: count }, (_, number) => {
    const call = async () => {
      calls += 1
      return hanging.get(number)?.promise ?? number
    }
    return { query: call, exec: call, command: call, insert: call, ping: call, close: async () => undefined }
  })
  /** @returns a function that lets the session respond again */
  const hang = (number: number) => {
    const response = Promise.withResolvers<number>()
    hanging.set(number, response)
    return () => {
      hanging.delete(number)
      response.resolve(number)
    }
  }
  return { connection: sessionPool(all, patienceMs), hang, calls: () => calls }
}

test('concurrent calls go to different sessions', async () => {
  const { connection } = sessions(3)
  expect(await Promise.all([connection.query(), connection.exec(), connection.insert()])).toEqual([0, 1, 2])
})

test('a call that hangs fails in time, and its session is avoided until it responds', async () => {
  const { connection, hang } = sessions(2)
  const respond = hang(0)
  const late = { message: 'ClickHouse did not respond in time: exec', code: 'ETIMEDOUT' }
  await expect(connection.exec()).rejects.toMatchObject(late)
  expect(await Promise.all([connection.exec(), connection.query()])).toEqual([1, 1])
  respond()
  await expect.poll(() => connection.query()).toBe(0)
})

test('a call waits for the first session that is idle, not for a long command', async () => {
  const { connection, hang } = sessions(2)
  const respond = hang(0)
  const merge = connection.command()
  expect(await Promise.all([connection.query(), connection.query(), connection.query()])).toEqual([1, 1, 1])
  respond()
  expect(await merge).toBe(0)
})

test('a call that has waited in vain is not made later', async () => {
  const { connection, hang, calls } = sessions(1)
  const respond = hang(0)
  const merge = connection.command()
  await expect(connection.insert()).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  respond()
  await merge
  expect(await connection.query()).toBe(0)
  expect(calls()).toBe(2)
})

test('a command may take longer', async () => {
  const { connection, hang } = sessions(1)
  const respond = hang(0)
  const merge = connection.command()
  setTimeout(respond, 2 * patienceMs)
  expect(await merge).toBe(0)
})
