import { randomUUID } from 'node:crypto'

/** Where the random part of both versions begins, after the version digit. */
const randomAt = 15

/**
 * A UUIDv7 with the current time and the random part of a UUIDv4, which Node generates in bulk. The `uuid` package
 * costs six times as much, and its ids stay in the future when the clock is set back. Ids of one millisecond are
 * unordered.
 */
export function newRequestId(): string {
  const now = Date.now()
  if (now !== lastMs) {
    const time = now.toString(16).padStart(12, '0')
    lastMs = now
    beginning = `${time.slice(0, 8)}-${time.slice(8)}-7`
  }
  return beginning + randomUUID().slice(randomAt)
}

/** Shared by all ids of the same millisecond. */
let [lastMs, beginning] = [0, '']
