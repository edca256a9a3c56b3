import { pair, markdownTable, round, type Row } from '#tools/load/report.ts'
import type { Measure, Measurements } from './measurements.ts'
import type { Target } from './targets/target.ts'

const head = [
  'One process each',
  'requests/s',
  'CPU a request, µs: full load, 500/s, 1,000/s',
  'added at 500/s, p50 / p99 ms',
  'added at 1,000/s, p50 / p99 ms',
  'added at 2,000/s, 50 ms provider, p50 / p99 ms',
  'stream: first byte added, p50 ms',
  '200 streams: frame added, p50 / p99 ms',
  'frames held back',
  'RSS, 2,000 streams, MiB',
]

/** The comparison; of the provider itself the figures stand as they are, of the others what they add. */
export function comparisonTable(measured: Measurements, targets: readonly Target[]): string {
  return markdownTable(
    head,
    targets.map(({ name, label }): Row => {
      const isDirect = name === 'direct'
      const value = (measure: Measure) => (isDirect ? measured.of(measure, name) : measured.added(measure, name))
      const latency = (at: string) => pair(value(`p50@${at}`), value(`p99@${at}`), 2)
      return [
        label,
        round(measured.of('perSecond', name), 0),
        (['cpuUs', 'cpuUs@500', 'cpuUs@1000'] as const)
          .map((measure) => round(measured.of(measure, name), 1) ?? '–')
          .join(' / '),
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

interface Goal {
  text: string
  value: number | undefined
  digits: number
  isMet: (value: number) => boolean
}

const atMost = (limit: number) => (value: number) => value <= limit
const atLeast = (limit: number) => (value: number) => value >= limit

/** What Sallyport is to reach, and whether it did. Source: product.md 12.1. */
export function goalTable(measured: Measurements, requests: number, recorded: Row | undefined): string {
  const own = (measure: Measure) => measured.added(measure, 'sallyport')
  const [ownP99, portkeyP99] = [own('p99@500'), measured.added('p99@500', 'portkey')]
  const goals: Goal[] = [
    {
      text: "requests/s, at least 8 × Portkey's",
      value: measured.ratio('perSecond', 'sallyport', 'portkey'),
      digits: 1,
      isMet: atLeast(8),
    },
    {
      text: "requests/s, at least 0.25 × nginx's",
      value: measured.ratio('perSecond', 'sallyport', 'nginx'),
      digits: 2,
      isMet: atLeast(0.25),
    },
    { text: 'CPU a request, at most 55 µs', value: measured.of('cpuUs', 'sallyport'), digits: 1, isMet: atMost(55) },
    {
      text: "p99 added at 500/s, at most 0.2 × Portkey's",
      value: ownP99 !== undefined && portkeyP99 ? ownP99 / portkeyP99 : undefined,
      digits: 2,
      isMet: atMost(0.2),
    },
    { text: 'p50 added at 1,000/s, at most 0.3 ms', value: own('p50@1000'), digits: 2, isMet: atMost(0.3) },
    { text: 'p99 added at 1,000/s, at most 3 ms', value: own('p99@1000'), digits: 2, isMet: atMost(3) },
    {
      text: 'p99 added at 2,000/s with a 50 ms provider, at most 4 ms',
      value: own('p99@slow'),
      digits: 2,
      isMet: atMost(4),
    },
    {
      text: 'first byte of a stream added, p50, at most 0.5 ms',
      value: own('p50@first-byte'),
      digits: 2,
      isMet: atMost(0.5),
    },
    {
      text: '200 streams of 100 frames: frames held back beyond those of the provider itself, none',
      value: own('heldBack'),
      digits: 0,
      isMet: atMost(0),
    },
    {
      text: `RSS after ${round(requests, 0)} requests, under 250 MB`,
      value: measured.of('rssAfter', 'sallyport'),
      digits: 0,
      isMet: atMost(250),
    },
    {
      text: 'RSS with 2,000 open streams, under 400 MB',
      value: measured.of('rssStreams', 'sallyport'),
      digits: 0,
      isMet: atMost(400),
    },
  ]
  const rows = goals.map(({ text, value, digits, isMet }): Row => [
    text,
    round(value, digits),
    value === undefined ? undefined : isMet(value) ? 'yes' : 'no',
  ])
  return markdownTable(['Goal', 'measured', 'met'], recorded ? [...rows, recorded] : rows)
}
