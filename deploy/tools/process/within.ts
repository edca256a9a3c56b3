import { setTimeout as sleep } from 'node:timers/promises'

/** @returns whether the condition became true in time; it is checked at least once */
export async function within(ms: number, condition: () => boolean | Promise<boolean>, everyMs = 200): Promise<boolean> {
  const deadline = performance.now() + ms
  while (!(await condition())) {
    if (performance.now() > deadline) return false
    await sleep(everyMs)
  }
  return true
}
