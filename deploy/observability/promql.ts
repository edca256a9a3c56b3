import { parser } from '@prometheus-io/lezer-promql'

/** Grafana's variables for a range. */
const ranges = /\$__(?:rate_interval|range)\b/g

interface Selector {
  metric: string
  /** Names of the labels that must match. */
  labels: string[]
}

/** @throws Error if it is not PromQL */
export function selectorsOf(expression: string): Selector[] {
  const text = expression.replaceAll(ranges, '5m')
  const selectors: Selector[] = []
  parser.parse(text).iterate({
    enter({ type, from, to, node }) {
      const matched = text.slice(from, to)
      if (type.isError) throw new Error(`not PromQL at ${from}: ${text}`)
      if (type.name === 'VectorSelector') selectors.push({ metric: /^[\w:]*/.exec(matched)?.[0] ?? '', labels: [] })
      if (type.name === 'LabelName' && node.parent?.name.endsWith('Matcher')) selectors.at(-1)?.labels.push(matched)
    },
  })
  return selectors
}
