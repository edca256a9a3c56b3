import type { TargetName } from './targets/target.ts'

/** Figures of a target; durations in ms, memory in MiB. */
export type Measure =
  | 'perSecond'
  | 'cpuUs'
  | `cpuUs@${string}`
  | `p50@${string}`
  | `p99@${string}`
  | 'heldBack'
  | 'rssAfter'
  | 'rssStreams'
  | 'failed'

/** The results of all rounds. Medians are reported, so that a single disturbed round has no effect. */
export class Measurements {
  readonly #values = new Map<string, number[]>()

  add(measure: Measure, target: TargetName, value: number | undefined): void {
    if (value === undefined) return
    const key = `${measure} ${target}`
    this.#values.set(key, [...(this.#values.get(key) ?? []), value])
  }

  /** The median over the rounds. */
  of(measure: Measure, target: TargetName): number | undefined {
    const values = this.#values.get(`${measure} ${target}`)
    return values && median(values)
  }

  sum(measure: Measure, target: TargetName): number {
    return (this.#values.get(`${measure} ${target}`) ?? []).reduce((sum, value) => sum + value, 0)
  }

  /** How much a target adds to calling the provider directly. */
  added(measure: Measure, target: TargetName): number | undefined {
    const [own, direct] = [this.of(measure, target), this.of(measure, 'direct')]
    return own === undefined || direct === undefined ? undefined : own - direct
  }

  /** A target's figure divided by that of another. */
  ratio(measure: Measure, target: TargetName, other: TargetName): number | undefined {
    const [own, others] = [this.of(measure, target), this.of(measure, other)]
    return own === undefined || others === undefined ? undefined : own / others
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const [low = 0, high = low] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return (low + high) / 2
}
