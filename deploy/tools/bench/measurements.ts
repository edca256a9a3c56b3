import type { Target, TargetName } from './targets/target.ts'

/** A target's figures; durations in ms, memory in MiB. */
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

type Started = Pick<Target, 'name' | 'start'>

/** The results of all starts and rounds. Medians are reported, so that a single disturbed run has no effect. */
export class Measurements {
  /** By measure, target and start. */
  readonly #values = new Map<string, number[][]>()

  add(measure: Measure, { name, start }: Started, value: number | undefined): void {
    if (value === undefined) return
    const key = `${measure} ${name}`
    const starts = this.#values.get(key) ?? []
    this.#values.set(key, starts)
    ;(starts[start] ??= []).push(value)
  }

  /** The median over all starts of the median over their rounds. */
  of(measure: Measure, target: TargetName): number | undefined {
    const starts = this.#starts(measure, target)
    return starts.length === 0 ? undefined : median(starts)
  }

  sum(measure: Measure, target: TargetName): number {
    return (this.#values.get(`${measure} ${target}`) ?? []).flat().reduce((sum, value) => sum + value, 0)
  }

  /** The difference between a target and a direct call of the provider. */
  added(measure: Measure, target: TargetName): number | undefined {
    const [own, direct] = [this.of(measure, target), this.of(measure, 'direct')]
    return own === undefined || direct === undefined ? undefined : own - direct
  }

  /** The median of how much more a target took than another one in the same round of the same start. */
  more(measure: Measure, target: TargetName, other: TargetName): number | undefined {
    const others = this.#values.get(`${measure} ${other}`) ?? []
    const differences = (this.#values.get(`${measure} ${target}`) ?? []).flatMap((rounds, start) =>
      rounds.flatMap((value, round) => {
        const less = others[start]?.[round]
        return less === undefined ? [] : [value - less]
      }),
    )
    return differences.length === 0 ? undefined : median(differences)
  }

  /** A target's figure divided by another's, with the smallest and largest ratio over the starts. */
  ratio(
    measure: Measure,
    target: TargetName,
    other: TargetName,
  ): [median: number, from: number, to: number] | undefined {
    const others = this.of(measure, other)
    if (others === undefined) return undefined
    const ratios = this.#starts(measure, target).map((own) => own / others)
    return ratios.length === 0 ? undefined : [median(ratios), Math.min(...ratios), Math.max(...ratios)]
  }

  #starts(measure: Measure, target: TargetName): number[] {
    return (this.#values.get(`${measure} ${target}`) ?? []).map(median)
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const [low = 0, high = low] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return (low + high) / 2
}
