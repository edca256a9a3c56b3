import pLimit from 'p-limit'
import pTimeout from 'p-timeout'
import { errorWithCode } from '../errors.ts'

type Calls = 'query' | 'exec' | 'command' | 'insert' | 'ping'
type Session = Record<Calls, (...parameters: never[]) => Promise<unknown>> & { close(): Promise<unknown> }

/**
 * Combines sessions into one: each of them runs one call at a time, and each call takes the first that is idle.
 * @param patienceMs after this time, a call fails, whether or not it has begun
 */
export function sessionPool<S extends Session>(sessions: readonly S[], patienceMs: number): Pick<S, Calls | 'close'> {
  const idle = [...sessions]
  const limit = pLimit(sessions.length)

  const run = (name: Calls, parameters: never[], isGivenUp = () => false): Promise<unknown> =>
    limit(async () => {
      if (isGivenUp()) return undefined
      // There is one, because of the limit.
      const session = idle.shift()!
      try {
        return await call(session, name, parameters)
      } finally {
        idle.push(session)
      }
    })

  const limited =
    (name: Calls) =>
    (...parameters: never[]) => {
      let isLate = false
      const giveUp = () => {
        isLate = true
        throw errorWithCode('ETIMEDOUT', `ClickHouse did not respond in time: ${name}`)
      }
      const response = run(name, parameters, () => isLate)
      return pTimeout(response, { milliseconds: patienceMs, fallback: giveUp })
    }

  return {
    query: limited('query'),
    exec: limited('exec'),
    insert: limited('insert'),
    ping: limited('ping'),
    // A schema change or a merge may take any amount of time.
    command: (...parameters: never[]) => run('command', parameters),
    close: async () => void (await Promise.all(sessions.map((session) => session.close()))),
  } as unknown as Pick<S, Calls | 'close'>
}

/** A query that fails midway leaves its rows to the next response of its session, which is therefore discarded. */
async function call(session: Session, name: Calls, parameters: never[]): Promise<unknown> {
  try {
    return await session[name](...parameters)
  } catch (error) {
    await session.ping()
    throw error
  }
}
