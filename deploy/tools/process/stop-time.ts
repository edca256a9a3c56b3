/** Time to write batches and close connections after the requests have drained. */
const closingMs = 8_000

/** How long a service with this environment may take to stop, ms. */
export function serviceStopMs(env: NodeJS.ProcessEnv): number {
  const drainSeconds = readSeconds(env['DRAIN_SECONDS'], 60)
  const delaySeconds = readSeconds(env['DRAIN_DELAY_SECONDS'], 0)
  return (drainSeconds + delaySeconds) * 1_000 + closingMs
}

/** The same for the whole stack: the proxy, then the other services, then the stores. */
export function stackStopMs(env: NodeJS.ProcessEnv): number {
  return 2 * serviceStopMs(env) + closingMs
}

/** An empty variable counts as unset; the services reject an invalid number. */
function readSeconds(text: string | undefined, unset: number): number {
  const seconds = Number(text || unset)
  return seconds >= 0 ? seconds : unset
}
