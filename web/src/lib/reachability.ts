import { nameAccount } from './session/tab-account.ts'

/** Whether the gateway answered last time. A probe goes on asking while it does not. */
let reachable = true
let probe: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()
const probeEveryMs = 3_000

function publish(next: boolean) {
  if (next === reachable) return
  reachable = next
  clearInterval(probe)
  if (!reachable) probe = setInterval(() => void ask(), probeEveryMs)
  for (const listener of listeners) listener()
}

/** Any answer counts, whatever its status. */
async function ask() {
  try {
    await fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' })
    publish(true)
  } catch {
    publish(false)
  }
}

/** Fetches for the tab's account, and notes whether the gateway could be reached. Rejects as `fetch` does. */
export async function reach(path: string, init: RequestInit): Promise<Response> {
  // Bad headers throw here, before anything is sent.
  const request = new Request(path, init)
  nameAccount(request)
  try {
    const response = await fetch(request)
    publish(true)
    return response
  } catch (error) {
    // A call that was given up says nothing about the gateway.
    if (error instanceof TypeError) publish(false)
    throw error
  }
}

/** A device without a network may still reach a gateway that runs on it: only asking tells. */
export function watchNetwork() {
  for (const event of ['online', 'offline']) window.addEventListener(event, () => void ask())
}

export const reachability = {
  read: () => reachable,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
