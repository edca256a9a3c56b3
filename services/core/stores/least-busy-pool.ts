import pLimit from 'p-limit'
import pTimeout from 'p-timeout'
import { errorWithCode } from '../errors.ts'

type Calls = 'query' | 'exec' | 'command' | 'insert' | 'ping'
type Session = Record<Calls, (...parameters: never[]) => Promise<unknown>> & { close(): Promise<unknown> }

/**
 * Combines connections into one: each call uses the one with the fewest calls under way, and waits for those.
 * @param patienceMs after this time, a call fails, and its connection is the last choice until it responds
 */
export function leastBusyPool<S extends Session>(sessions: readonly S[], patienceMs: number): Pick<S, Calls | 'close'> {
  const connections = sessions.map((session) => ({ session, calls: 0, late: 0, oneAtATime: pLimit(1) }))
  type Connection = (typeof connections)[number]
  const leastBusy = () =>
    connections.reduce((best, next) => ((next.late - best.late || next.calls - best.calls) < 0 ? next : best))

  async function run(connection: Connection, name: Calls, parameters: never[]): Promise<unknown> {
    connection.calls += 1
    try {
      return await connection.oneAtATime(() => call(connection.session, name, parameters))
    } finally {
      connection.calls -= 1
    }
  }

  const limited =
    (name: Calls) =>
    (...parameters: never[]) => {
      const connection = leastBusy()
      const response = run(connection, name, parameters)
      const giveUp = () => {
        connection.late += 1
        const recover = () => (connection.late -= 1)
        response.then(recover, recover)
        throw errorWithCode('ETIMEDOUT', `ClickHouse did not respond in time: ${name}`)
      }
      return pTimeout(response, { milliseconds: patienceMs, fallback: giveUp })
    }

  return {
    query: limited('query'),
    exec: limited('exec'),
    insert: limited('insert'),
    ping: limited('ping'),
    // A schema change or a merge may take any amount of time.
    command: (...parameters: never[]) => run(leastBusy(), 'command', parameters),
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
