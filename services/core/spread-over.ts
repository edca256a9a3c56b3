/** The methods of a ClickHouse connection that take up its time. */
type Calls = 'query' | 'exec' | 'command' | 'insert' | 'ping'
type Session = Record<Calls, (...parameters: never[]) => Promise<unknown>> & { close(): Promise<unknown> }

/** One connection over several equal ones: each call goes to the one with the fewest calls under way. */
export function spreadOver<S extends Session>(sessions: readonly S[]): Pick<S, Calls | 'close'> {
  const busy = sessions.map(() => 0)
  const spread =
    (name: Calls) =>
    async (...parameters: never[]) => {
      const at = busy.indexOf(Math.min(...busy))
      busy[at]! += 1
      try {
        return await sessions[at]![name](...parameters)
      } finally {
        busy[at]! -= 1
      }
    }
  return {
    query: spread('query'),
    exec: spread('exec'),
    command: spread('command'),
    insert: spread('insert'),
    ping: spread('ping'),
    close: async () => void (await Promise.all(sessions.map((session) => session.close()))),
  } as unknown as Pick<S, Calls | 'close'>
}
