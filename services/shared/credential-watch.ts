import { second } from '#core/units.ts'

/** Even if no message announces a change, it is detected within this time. */
const checkMs = 30 * second

export interface WatchedConnection {
  accountId: string
  expiresAt: Date | null
  /** Reads the credential again; an error has no effect. */
  isStillValid(): Promise<boolean>
  end(): void
}

/** Ends connections whose credential is no longer valid: at once if the account changes, else at the next check. */
export class CredentialWatch {
  readonly #connections = new Map<WatchedConnection, NodeJS.Timeout>()

  /** @returns a function to call once the connection has ended */
  watch(connection: WatchedConnection): () => void {
    this.#schedule(connection, Date.now())
    return () => {
      clearTimeout(this.#connections.get(connection))
      this.#connections.delete(connection)
    }
  }

  check(accountId: string | undefined): void {
    for (const connection of this.#connections.keys()) {
      if (accountId === undefined || connection.accountId === accountId) void this.#recheck(connection)
    }
  }

  async #recheck(connection: WatchedConnection): Promise<void> {
    const checkedAt = Date.now()
    const isStillValid = await connection.isStillValid().catch(() => true)
    if (!this.#connections.has(connection)) return
    if (isStillValid) this.#schedule(connection, checkedAt)
    else connection.end()
  }

  /** @param checkedAt ms since 1970; a check right before the expiry, as timers may be early, is followed by another one */
  #schedule(connection: WatchedConnection, checkedAt: number): void {
    clearTimeout(this.#connections.get(connection))
    const { expiresAt } = connection
    const leftMs = expiresAt ? expiresAt.getTime() - checkedAt : checkMs
    // If the clocks differ, an expired credential may still be valid, so it is not rechecked immediately.
    const waitMs = leftMs > 0 ? Math.min(leftMs, checkMs) : checkMs
    const timer = setTimeout(() => void this.#recheck(connection), waitMs).unref()
    this.#connections.set(connection, timer)
  }
}
