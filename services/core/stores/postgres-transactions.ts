import type postgres from 'postgres'

/** The driver's internal object for a connection. */
interface Connection {
  id: number
  queue: object
  /** @returns false if the connection takes no further query for now */
  execute(query: object): unknown
  terminate(): void
}

interface BeginOptions {
  onexecute(connection: Connection): void
}

const isBegin = (options: object | undefined): options is BeginOptions =>
  options !== undefined && 'onexecute' in options

/**
 * Ends transactions whose connection breaks off. The driver would write the rollback to a closed socket, which throws
 * where nothing can catch it. Later, it would mistake the response to another query for that of the rollback, or never
 * use the connection's place in the pool again.
 */
export function createTransactionGuard() {
  const connections = new Map<number, Connection>()
  let closedQueue: object | undefined

  function guard(connection: Connection): void {
    if (connections.has(connection.id)) return
    connections.set(connection.id, connection)
    const { execute } = connection
    // A late query has been rejected by now; without this, the driver would count the connection as in use.
    connection.execute = (query) => execute(query) || connection.queue === closedQueue
  }

  return {
    onclose(id: number): void {
      const connection = connections.get(id)
      closedQueue = connection?.queue ?? closedQueue
      connection?.terminate()
    },
    /** Finds connections through an internal hook that the driver calls at the beginning of a transaction. */
    watch<Client extends postgres.Sql>(sql: Client): Client {
      const { unsafe } = sql
      return Object.assign(sql, {
        unsafe(text: string, parameters?: [], options?: postgres.UnsafeQueryOptions) {
          if (!isBegin(options)) return unsafe(text, parameters, options)
          const { onexecute } = options
          options.onexecute = (connection) => {
            guard(connection)
            onexecute(connection)
          }
          return unsafe(text, parameters, options)
        },
      })
    },
  }
}
