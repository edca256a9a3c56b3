import pTimeout from 'p-timeout'

/** The methods of a ClickHouse connection that take up its time. */
type Calls = 'query' | 'exec' | 'command' | 'insert' | 'ping'
type Session = Record<Calls, (...parameters: never[]) => Promise<unknown>> & { close(): Promise<unknown> }

/**
 * One connection over several equal ones: each call goes to the one with the fewest calls under way.
 * @param patienceMs a call without an answer by then fails, and its connection is the last choice until the answer comes
 */
export function spreadOver<S extends Session>(sessions: readonly S[], patienceMs: number): Pick<S, Calls | 'close'> {
  const lanes = sessions.map((session) => ({ session, calls: 0, late: 0 }))
  type Lane = (typeof lanes)[number]
  const freest = () => lanes.toSorted((one, other) => one.late - other.late || one.calls - other.calls)[0]!

  async function run(lane: Lane, name: Calls, parameters: never[]): Promise<unknown> {
    lane.calls += 1
    try {
      return await lane.session[name](...parameters)
    } finally {
      lane.calls -= 1
    }
  }

  const limited =
    (name: Calls) =>
    (...parameters: never[]) => {
      const lane = freest()
      const answer = run(lane, name, parameters)
      const giveUp = () => {
        lane.late += 1
        const settle = () => (lane.late -= 1)
        answer.then(settle, settle)
        throw new Error(`ClickHouse did not answer in time: ${name}`)
      }
      return pTimeout(answer, { milliseconds: patienceMs, fallback: giveUp })
    }

  return {
    query: limited('query'),
    exec: limited('exec'),
    insert: limited('insert'),
    ping: limited('ping'),
    // A change of the schema or a merge takes as long as it takes.
    command: (...parameters: never[]) => run(freest(), 'command', parameters),
    close: async () => void (await Promise.all(sessions.map((session) => session.close()))),
  } as unknown as Pick<S, Calls | 'close'>
}
