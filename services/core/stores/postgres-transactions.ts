import type postgres from 'postgres'

/** What the driver tells itself about the connection of a transaction. */
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
 * Ends transactions whose connection breaks off. The driver would write the rollback to a socket that is gone, which
 * throws where nothing can catch it. Later, it would take the response to another query for that of the rollback, or
 * never use the connection's place in the pool again.
 */
export function createTransactionGuard() {
  const connections = new Map<number, Connection>()
  let closedQueue: object | undefined

  function guard(connection: Connection): void {
    if (connections.has(connection.id)) return
    connections.set(connection.id, connection)
    const { execute } = connection
    // A query that comes too late is rejected by now. The driver would put the connection among those in use.
    connection.execute = (query) => execute(query) || connection.queue === closedQueue
  }

  return {
    onclose(id: number): void {
      const connection = connections.get(id)
      closedQueue = connection?.queue ?? closedQueue
      connection?.terminate()
    },
    /** Learns of connections from what the driver passes to itself at the beginning of a transaction. */
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
