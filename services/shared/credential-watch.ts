import { second } from '#core/units.ts'

/** How long a change without a message can go unnoticed. */
const checkMs = 30 * second

/** A connection that outlives the look at the credential that opened it. */
export interface WatchedConnection {
  accountId: string
  /** When the credential ends by itself. */
  expiresAt: Date | null
  /** Looks at the credential anew. A look that fails says nothing. */
  isStillValid(): Promise<boolean>
  end(): void
}

/** Ends connections whose credential has ended: at once when an account has changed, and else by looking again. */
export class CredentialWatch {
  readonly #connections = new Map<WatchedConnection, NodeJS.Timeout>()

  /** @returns how to stop, once the connection has ended */
  watch(connection: WatchedConnection): () => void {
    this.#schedule(connection)
    return () => {
      clearTimeout(this.#connections.get(connection))
      this.#connections.delete(connection)
    }
  }

  /** Checks the connections of an account that has changed, or all of them. */
  check(accountId: string | undefined): void {
    for (const connection of this.#connections.keys()) {
      if (accountId === undefined || connection.accountId === accountId) void this.#look(connection)
    }
  }

  async #look(connection: WatchedConnection): Promise<void> {
    const isStillValid = await connection.isStillValid().catch(() => true)
    if (!this.#connections.has(connection)) return
    if (isStillValid) this.#schedule(connection)
    else connection.end()
  }

  #schedule(connection: WatchedConnection): void {
    clearTimeout(this.#connections.get(connection))
    const { expiresAt } = connection
    const leftMs = expiresAt ? expiresAt.getTime() - Date.now() : checkMs
    // A credential that is valid after its end has another clock: checking again at once would never stop.
    const waitMs = leftMs > 0 ? Math.min(leftMs, checkMs) : checkMs
    const timer = setTimeout(() => void this.#look(connection), waitMs).unref()
    this.#connections.set(connection, timer)
  }
}
