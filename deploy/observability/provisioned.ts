import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { metricsOf } from './promql.ts'

/** A file of this folder. */
export const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
export const parseYaml = (path: string): unknown => parse(read(path))

const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Sallyport[A-Z]\w+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
          annotations: z.strictObject({ summary: z.string(), runbook_url: z.string() }),
        }),
      ),
    }),
  ),
})
export const rules = Rules.parse(parseYaml('alerts.yml')).groups.flatMap((group) => group.rules)

const Dashboard = z.looseObject({
  uid: z.string(),
  title: z.string(),
  schemaVersion: z.number(),
  panels: z.array(
    z.looseObject({
      id: z.number(),
      type: z.enum(['timeseries', 'stat']),
      title: z.string(),
      gridPos: z.object({ h: z.number(), w: z.number().max(24), x: z.number(), y: z.number() }),
      datasource: z.object({ type: z.literal('prometheus'), uid: z.string() }),
      targets: z.array(z.looseObject({ refId: z.string(), expr: z.string() })).min(1),
    }),
  ),
})
export const dashboards = globSync('grafana/dashboards/*.json', { cwd: import.meta.dirname }).map((path) =>
  Dashboard.parse(JSON.parse(read(path))),
)

/** Names of all metrics that alerts and dashboards ask for. */
export const askedMetrics: readonly string[] = [
  ...rules,
  ...dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets)),
].flatMap(({ expr }) => metricsOf(expr))
