import { setFlagsFromString } from 'node:v8'

/** Sets flags that `NODE_OPTIONS` does not accept. */
export function tuneGarbageCollection(): void {
  // Few objects survive in the young generation, so helper threads cost more than they save.
  setFlagsFromString('--no-parallel-scavenge')
  // By default V8 keeps the old generation so small that it is collected every second under load.
  setFlagsFromString('--heap-growing-percent=50')
}
