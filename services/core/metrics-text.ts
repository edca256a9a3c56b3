import { Registry } from 'prom-client'
import { z } from 'zod'

/** Also NaN and infinity, which are null in JSON. */
const MetricValue = z.custom<number | null>((value) => value === null || typeof value === 'number')

/** A metric in prom-client's JSON. */
const Metric = z.object({
  name: z.string(),
  help: z.string(),
  type: z.string(),
  values: z.array(
    z.object({
      value: MetricValue,
      labels: z.record(z.string(), z.union([z.string(), z.number()])),
      metricName: z.string().optional(),
      exemplar: z
        .object({ labelSet: z.record(z.string(), z.string()), value: z.number(), timestamp: z.number() })
        .nullish(),
    }),
  ),
})
export const Metrics = z.array(Metric)
export type Metrics = z.infer<typeof Metrics>
type Labels = Metrics[number]['values'][number]['labels']

/** prom-client fixes the format when a registry is created, and loses exemplars when it merges processes. */
export function toMetricsText(metrics: Metrics, { isOpenMetrics }: { isOpenMetrics: boolean }): string {
  const lines = metrics.flatMap(({ name, help, type, values }) => {
    const family = isOpenMetrics && type === 'counter' ? name.replace(/_total$/, '') : name
    const samples = values.map(({ value, labels, metricName = name, exemplar }) => {
      const sample = `${metricName}${toText(labels)} ${toNumber(value)}`
      if (!isOpenMetrics || !exemplar) return sample
      return `${sample} # ${toText(exemplar.labelSet)} ${exemplar.value} ${exemplar.timestamp}`
    })
    return [`# HELP ${family} ${escape(help)}`, `# TYPE ${family} ${type}`, ...samples]
  })
  return [...lines, ...(isOpenMetrics ? ['# EOF'] : []), ''].join('\n')
}

/** Merges the metrics of several processes, and labels each value with its process. */
export function mergeMetrics(processes: readonly (readonly [process: string, metrics: Metrics])[]): Metrics {
  const merged = new Map<string, Metrics[number]>()
  for (const [process, metrics] of processes) {
    for (const metric of metrics) {
      const values = metric.values.map((each) => ({ ...each, labels: { ...each.labels, process } }))
      const known = merged.get(metric.name)
      if (known) known.values.push(...values)
      else merged.set(metric.name, { ...metric, values })
    }
  }
  return [...merged.values()]
}

/** The format that a client of `/metrics` accepts. Prometheus prefers OpenMetrics, which has exemplars. */
export function negotiateFormat(accept = ''): { isOpenMetrics: boolean; contentType: string } {
  const isOpenMetrics = accept.includes('application/openmetrics-text')
  const contentType = isOpenMetrics ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE
  return { isOpenMetrics, contentType }
}

function toText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escape(String(value)).replaceAll('"', '\\"')}"`,
  )
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

const escape = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

function toNumber(value: number | null): string {
  if (value === null) return 'NaN'
  return Number.isFinite(value) || Number.isNaN(value) ? String(value) : `${value > 0 ? '+' : '-'}Inf`
}
