import { nameAccount } from './session/tab-account.ts'
import { createStore } from './store.ts'

/** Whether the gateway responded to the last call. While it does not, it is asked again and again. */
export const reachability = createStore(true)

let probe: ReturnType<typeof setInterval> | undefined
const probeEveryMs = 3_000

function publish(isReachable: boolean) {
  if (isReachable === reachability.read()) return
  clearInterval(probe)
  if (!isReachable) probe = setInterval(() => void ask(), probeEveryMs)
  reachability.write(isReachable)
}

/** Any response counts, whatever its status. */
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
