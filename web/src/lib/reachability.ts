import { addAccountHeader } from './session/tab-account.ts'
import { createStore } from './store.ts'

/** Whether the gateway responded to the last call. While it does not, it is probed every 3 seconds. */
export const reachability = createStore(true)

/** Calls that have waited for their response for longer than `slowAfterMs`. */
export const slowCalls = createStore(0)

const slowAfterMs = 10_000

/** Counts a call as slow from `slowAfterMs` on until it ends. */
export async function noteIfSlow<Result>(call: Promise<Result>): Promise<Result> {
  let isSlow = false
  const timer = setTimeout(() => {
    isSlow = true
    slowCalls.write(slowCalls.read() + 1)
  }, slowAfterMs)
  try {
    return await call
  } finally {
    clearTimeout(timer)
    if (isSlow) slowCalls.write(slowCalls.read() - 1)
  }
}

let probing: ReturnType<typeof setInterval> | undefined
const probeEveryMs = 3_000

function publish(isReachable: boolean) {
  if (isReachable === reachability.read()) return
  clearInterval(probing)
  if (!isReachable) probing = setInterval(() => void probe(), probeEveryMs)
  reachability.write(isReachable)
}

/** Checks whether the gateway responds now. Any response counts, whatever its status. */
export async function probe(): Promise<boolean> {
  const isReachable = await fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store', redirect: 'manual' }).then(
    () => true,
    () => false,
  )
  publish(isReachable)
  return isReachable
}

/** Fetches for the tab's account, and notes whether the gateway could be reached. Rejects as `fetch` does. */
export async function fetchFromGateway(path: string, init: RequestInit): Promise<Response> {
  // Bad headers throw here, before anything is sent.
  const request = new Request(path, init)
  addAccountHeader(request)
  try {
    const response = await fetch(request)
    publish(true)
    return response
  } catch (error) {
    // An aborted call says nothing about the gateway.
    if (error instanceof TypeError) publish(false)
    throw error
  }
}

/** Probes on each change, because a device without a network may still reach a gateway that runs on it. */
export function watchNetwork() {
  for (const event of ['online', 'offline']) window.addEventListener(event, () => void probe())
}
