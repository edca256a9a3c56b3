import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { findCommand } from '#tools/process/find-command.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { createMetrics } from './metrics.ts'
import { mergeMetrics, Metrics, negotiateFormat, toMetricsText } from './metrics-text.ts'

const exemplar = { request_id: '0199a000-0000-7000-8000-000000000003' }

async function exampleMetrics(registry = new Registry()): Promise<Metrics> {
  const registers = [registry]
  new Counter({ name: 'a_total', help: 'A \\ and\na line', labelNames: ['path'], registers }).inc({ path: '"\\\n' }, 2)
  new Gauge({ name: 'b', help: 'B', registers }).set(Number.POSITIVE_INFINITY)
  const histogram = new Histogram({ name: 'c', help: 'C', buckets: [1], registers: [], enableExemplars: true })
  registry.registerMetric(histogram)
  histogram.observe({ value: 0.5, exemplarLabels: exemplar })
  return Metrics.parse(structuredClone(await registry.getMetricsAsJSON()))
}

/** Leaves out metrics whose values change from one read to the next. */
const stableLines = (text: string) =>
  text.split('\n').filter((line) => line !== '' && !/^(?:process|nodejs)_/.test(line))

test('without exemplars the text is that of prom-client', async () => {
  const registry = createMetrics()
  const metrics = await exampleMetrics(registry)
  expect(stableLines(toMetricsText(metrics, { isOpenMetrics: false }))).toEqual(stableLines(await registry.metrics()))
})

test('OpenMetrics has exemplars, also of several processes', async () => {
  const merged = mergeMetrics([
    ['1', await exampleMetrics()],
    ['2', await exampleMetrics()],
  ])
  const text = toMetricsText(merged, { isOpenMetrics: true })
  expect(text).toContain(
    '# TYPE a counter\na_total{path="\\"\\\\\\n",process="1"} 2\na_total{path="\\"\\\\\\n",process="2"} 2\n',
  )
  expect(text).toContain('b{process="2"} +Inf\n')
  for (const process of ['1', '2'])
    expect(text).toContain(`c_bucket{le="1",process="${process}"} 1 # {request_id="${exemplar.request_id}"} 0.5 `)
  expect(text).toMatch(/\n# EOF\n$/)
})

test('each client gets the format that it takes', () => {
  const prometheus = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'
  expect(negotiateFormat(prometheus).contentType).toMatch(/^application\/openmetrics-text; version=1/)
  expect(negotiateFormat('*/*').contentType).toMatch(/^text\/plain/)
  expect(negotiateFormat().isOpenMetrics).toBe(false)
})

const promtool = findCommand(['promtool'])
test.skipIf(!promtool)('promtool, where it is installed, can read it', async () => {
  const text = toMetricsText(await exampleMetrics(createMetrics()), { isOpenMetrics: true })
  const folder = temporaryFolder()
  // promtool accepts only samples with a timestamp.
  writeFileSync(join(folder, 'text'), text.replaceAll(/^([^#\n]+?)(?=$| # )/gm, '$1 1700000000'))
  await execa(promtool!, ['tsdb', 'create-blocks-from', 'openmetrics', join(folder, 'text'), join(folder, 'blocks')])
})
