import type { Redis } from './resources.ts'

/**
 * Lets the commands of one turn of the event loop leave in one write: of a command, most of the cost is the system
 * call. Nothing waits for it but the rest of that turn.
 * @returns call it before each command
 */
export function createWriteTogether(redis: Redis): () => void {
  let isHeld = false
  return () => {
    if (isHeld) return
    const { stream } = redis
    if (!stream) return
    isHeld = true
    stream.cork()
    setImmediate(() => {
      isHeld = false
      stream.uncork()
    })
  }
}
