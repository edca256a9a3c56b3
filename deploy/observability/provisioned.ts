import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { selectorsOf } from './promql.ts'

/** Reads a file of this folder. */
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

const gridPos = z.object({ h: z.number(), w: z.number().max(24), x: z.number(), y: z.number() })
const datasource = z.object({ type: z.literal('prometheus'), uid: z.literal('${datasource}') })
const Panel = z.looseObject({
  id: z.number(),
  type: z.enum(['timeseries', 'stat']),
  title: z.string(),
  gridPos,
  datasource,
  targets: z.array(z.looseObject({ refId: z.string(), expr: z.string(), datasource })).min(1),
})
const Row = z.looseObject({ type: z.literal('row'), title: z.string(), gridPos })

/** `label_values(selector, label)`: the options of a variable. */
const LabelValues = z
  .string()
  .regex(/^label_values\(.+, \w+\)$/)
  .transform((text) => /^label_values\((.+), (\w+)\)$/.exec(text)!)
  .transform(([, expr = '', label = '']) => ({ expr, label }))
const Variable = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('datasource'),
    name: z.literal('datasource'),
    current: z.object({ text: z.string(), value: z.string() }),
  }),
  z.looseObject({
    type: z.literal('query'),
    name: z.string(),
    datasource,
    query: z.looseObject({ query: LabelValues }),
    allValue: z.literal('.*'),
  }),
])
const Dashboard = z.looseObject({
  uid: z.string(),
  title: z.string(),
  schemaVersion: z.number(),
  templating: z.object({ list: z.array(Variable) }),
  panels: z.array(z.discriminatedUnion('type', [Row, Panel])),
})

export const dashboards = globSync('grafana/dashboards/*.json', { cwd: import.meta.dirname }).map((path) => {
  const { panels, templating, title } = Dashboard.parse(JSON.parse(read(path)))
  const queries = templating.list.flatMap((variable) => (variable.type === 'query' ? [variable.query.query] : []))
  return {
    file: basename(path),
    title,
    variables: templating.list,
    queries,
    cells: panels,
    panels: panels.flatMap((each) => (each.type === 'row' ? [] : [each])),
  }
})

/** All selectors that alerts and dashboards query. */
export const selectors = [
  ...[...rules, ...dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets))].flatMap(({ expr }) =>
    selectorsOf(expr),
  ),
  ...dashboards.flatMap(({ queries }) =>
    queries.flatMap(({ expr, label }) =>
      selectorsOf(expr).map(({ metric, labels }) => ({ metric, labels: [...labels, label] })),
    ),
  ),
]
