import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Frees memory that only the start of the process needed, up to a fifth of the total. V8 collects garbage only when it
 * needs space, so an idle process would keep it. Takes about 80 ms; V8 returns the memory in the next ten seconds.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
