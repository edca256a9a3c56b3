import type { TargetName } from './targets/target.ts'

/** What is measured of a target, by name; durations ms, memory MiB. */
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

/** What the rounds gave; the middle of them is what counts, so one disturbed round does no harm. */
export class Measurements {
  readonly #values = new Map<string, number[]>()

  add(measure: Measure, target: TargetName, value: number | undefined): void {
    if (value === undefined) return
    const key = `${measure} ${target}`
    const values = this.#values.get(key)
    if (values) values.push(value)
    else this.#values.set(key, [value])
  }

  /** The median over the rounds. */
  of(measure: Measure, target: TargetName): number | undefined {
    const values = this.#values.get(`${measure} ${target}`)?.toSorted((one, other) => one - other)
    if (!values) return undefined
    const [low = 0, high = low] = values.slice((values.length - 1) >> 1, (values.length >> 1) + 1)
    return (low + high) / 2
  }

  sum(measure: Measure, target: TargetName): number {
    return (this.#values.get(`${measure} ${target}`) ?? []).reduce((sum, value) => sum + value, 0)
  }

  /** What a target adds to calling the provider directly. */
  added(measure: Measure, target: TargetName): number | undefined {
    const [own, direct] = [this.of(measure, target), this.of(measure, 'direct')]
    return own === undefined || direct === undefined ? undefined : own - direct
  }

  /** How many times the other's figure a target's is. */
  ratio(measure: Measure, target: TargetName, other: TargetName): number | undefined {
    const [own, others] = [this.of(measure, target), this.of(measure, other)]
    return own === undefined || others === undefined ? undefined : own / others
  }
}
