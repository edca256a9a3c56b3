import { setTimeout as sleep } from 'node:timers/promises'

/** @returns whether the condition became true in time */
export async function within(ms: number, condition: () => Promise<boolean>, everyMs = 200): Promise<boolean> {
  const deadline = performance.now() + ms
  while (performance.now() < deadline) {
    if (await condition()) return true
    await sleep(everyMs)
  }
  return false
}
