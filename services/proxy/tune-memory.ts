import { setFlagsFromString } from 'node:v8'

/** What `NODE_OPTIONS` does not take. A pause of the collector is a pause of every request that is under way. */
export function tuneGarbageCollection(): void {
  // Little survives in the young generation: to wait for threads that help takes longer than to do it alone.
  setFlagsFromString('--no-parallel-scavenge')
  // Left to itself V8 keeps the old generation so tight that under load it goes through all of it every second.
  setFlagsFromString('--heap-growing-percent=50')
}
