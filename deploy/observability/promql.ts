import { parser } from '@prometheus-io/lezer-promql'

/** Grafana's own, which stands for a range. */
const intervalVariable = '$__rate_interval'

/**
 * @returns the names of the metrics that an expression asks for
 * @throws Error when it is not PromQL
 */
export function metricsOf(expression: string): string[] {
  const text = expression.replaceAll(intervalVariable, '5m')
  const names: string[] = []
  parser.parse(text).iterate({
    enter({ type, from, to }) {
      if (type.isError) throw new Error(`not PromQL at ${from}: ${text}`)
      if (type.name === 'VectorSelector') names.push(/^[\w:]*/.exec(text.slice(from, to))?.[0] ?? '')
    },
  })
  return names
}
