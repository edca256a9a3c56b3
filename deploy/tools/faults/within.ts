import { setTimeout as sleep } from 'node:timers/promises'

/** @returns whether the condition came true in that time */
export async function within(ms: number, condition: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + ms
  while (performance.now() < deadline) {
    if (await condition()) return true
    await sleep(200)
  }
  return false
}
