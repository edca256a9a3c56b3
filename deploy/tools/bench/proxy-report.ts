import { pair, markdownTable, round, type Row, yesOrNo } from '#tools/load/report.ts'
import type { Measure, Measurements } from './measurements.ts'
import type { Target, TargetName } from './targets/target.ts'

const head = [
  'One process each',
  'requests/s',
  'CPU a request, µs: full load, 500/s, 1,000/s',
  'CPU at full load × bare, over starts',
  'added at 500/s, p50 / p99 ms',
  'added at 1,000/s, p50 / p99 ms',
  'added at 2,000/s, 50 ms provider, p50 / p99 ms',
  'stream: first byte added, p50 ms',
  '200 streams: frame added, p50 / p99 ms',
  'frames held back',
  'RSS, 2,000 streams, MiB',
]

/** The comparison: the provider's own figures, and how much each target adds to them. */
export function comparisonTable(measured: Measurements, targets: readonly Target[]): string {
  return markdownTable(
    head,
    onePerName(targets).map(({ name, label }): Row => {
      const isDirect = name === 'direct'
      const value = (measure: Measure) => (isDirect ? measured.of(measure, name) : measured.added(measure, name))
      const latency = (at: string) => pair(value(`p50@${at}`), value(`p99@${at}`), 2)
      return [
        label,
        round(measured.of('perSecond', name), 0),
        (['cpuUs', 'cpuUs@500', 'cpuUs@1000'] as const)
          .map((measure) => round(measured.of(measure, name), 1) ?? '–')
          .join(' / '),
        spread(measured.ratio('cpuUs', name, 'bare')),
        latency('500'),
        latency('1000'),
        latency('slow'),
        round(value('p50@first-byte'), 2),
        latency('frame'),
        round(measured.of('heldBack', name), 0),
        round(measured.of('rssStreams', name), 0),
      ]
    }),
  )
}

export const onePerName = (targets: readonly Target[]) => targets.filter(({ start }) => start === 0)

/** A median with the smallest and the largest value. */
const spread = (ratio: [median: number, from: number, to: number] | undefined): string | undefined =>
  ratio && `${round(ratio[0], 2)} (${round(ratio[1], 2)}–${round(ratio[2], 2)})`

/** Text, measured value, digits, and limit: a maximum, or a minimum with `at least`. */
type Goal = [text: string, value: number | undefined, digits: number, limit: number, atLeast?: 'at least']

/** Sallyport's goals, and whether it meets them. Source: product.md 12.1. */
export function goalTable(measured: Measurements, requests: number, recorded: Row | undefined): string {
  const own = (measure: Measure) => measured.added(measure, 'sallyport')
  const of = (measure: Measure, name: TargetName = 'sallyport') => measured.of(measure, name)
  const ratio = (measure: Measure, other: TargetName, name: TargetName = 'sallyport') =>
    measured.ratio(measure, name, other)?.[0]
  const over = (measure: Measure, other: TargetName, name: TargetName = 'sallyport') =>
    measured.more(measure, name, other)
  const heldBack = '200 streams of 100 frames: frames held back beyond those of the provider itself, none'
  const goals: Goal[] = [
    ["CPU a request without limits, at most 1.5 × bare's", ratio('cpuUs', 'bare', 'unlimited'), 2, 1.5],
    ["CPU a request with limits, at most 1.7 × bare's", ratio('cpuUs', 'bare'), 2, 1.7],
    [
      'CPU a request of a token with a budget and two limits, at most 6 µs more',
      over('cpuUs', 'sallyport', 'budgeted'),
      1,
      6,
    ],
    ["CPU a request at 500/s, at most 1.4 × bare's", ratio('cpuUs@500', 'bare'), 2, 1.4],
    ["requests/s, at least 9 × Portkey's", ratio('perSecond', 'portkey'), 1, 9, 'at least'],
    ["requests/s, at least 0.3 × nginx's", ratio('perSecond', 'nginx'), 2, 0.3, 'at least'],
    ["p50 at 1,000/s, at most 0.1 ms over bare's", over('p50@1000', 'bare'), 2, 0.1],
    ["p99 at 1,000/s, at most 0.5 ms over bare's", over('p99@1000', 'bare'), 2, 0.5],
    [
      'the same of a token with a budget and two limits, at most 1.1 times',
      ratio('p99@1000', 'sallyport', 'budgeted'),
      2,
      1.1,
    ],
    ['p99 added at 2,000/s with a 50 ms provider, at most 4 ms', own('p99@slow'), 2, 4],
    ["first byte of a stream, p50, at most 0.3 ms over bare's", over('p50@first-byte', 'bare'), 2, 0.3],
    [heldBack, own('heldBack'), 0, 0],
    [`RSS after ${round(requests, 0)} requests, under 250 MB`, of('rssAfter'), 0, 250],
    ['RSS with 2,000 open streams, under 400 MB', of('rssStreams'), 0, 400],
  ]
  const rows = goals.map(([text, value, digits, limit, atLeast]): Row => {
    const isMet = value !== undefined && (atLeast ? value >= limit : value <= limit)
    return [text, round(value, digits), value === undefined ? undefined : yesOrNo(isMet)]
  })
  return markdownTable(['Goal', 'measured', 'met'], recorded ? [...rows, recorded] : rows)
}
