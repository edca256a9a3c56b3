import { required } from '#tools/process/required.ts'
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  between(low: number, high: number): number
  chance(probability: number): boolean
  /** Mostly near 1, sometimes far above, like latencies. */
  longTail(spread: number): number
  pick<T extends { weight: number }>(items: readonly T[]): T
  bytes(length: number): Uint8Array
}

/** Generates the same numbers for the same seed (Mulberry32 by Tommy Ettinger); not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (low, high) => Math.round(low + next() * (high - low)),
    chance: (probability) => next() < probability,
    // A log-normal distribution by the Box-Muller transform.
    longTail: (spread) => Math.exp(spread * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())),
    pick(items) {
      let left = next() * items.reduce((sum, { weight }) => sum + weight, 0)
      return items.find(({ weight }) => (left -= weight) < 0) ?? required(items.at(-1), 'item')
    },
    bytes: (length) => Uint8Array.from({ length }, () => Math.floor(next() * 256)),
  }
}
