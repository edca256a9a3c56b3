import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { composeFile } from '#deploy/docker/compose-file.ts'
import { root } from '#tools/root.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { selectorsOf } from './promql.ts'
import { dashboards, parseYaml, read, rules } from './provisioned.ts'

test('an expression that is not PromQL is found', () => {
  expect(() => selectorsOf('sum by (le) (rate(a[5m])')).toThrow('not PromQL')
  expect(selectorsOf('a{b="c"} / ignoring (e) sum by (f) (rate(d[$__rate_interval]))')).toEqual([
    { metric: 'a', labels: ['b'] },
    { metric: 'd', labels: [] },
  ])
})

test('every alert has a runbook in deploy/README.md and names no label twice', () => {
  const anchors = [...read('../README.md').matchAll(/<a id="([\w-]+)"><\/a>/g)].map(([, id]) => id)
  const urls = anchors.map((id) => `{{ $externalLabels.runbooks }}/deploy/README.md#${id}`)
  expect(rules.map(({ annotations }) => annotations.runbook_url).filter((url) => !urls.includes(url))).toEqual([])
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  expect(read('prometheus.yml')).toContain("runbooks: '${RUNBOOKS_URL}'")
  expect(composeFile.services['prometheus']!.environment).toHaveProperty('RUNBOOKS_URL')
})

test('each incident that an operator must act on has an alert', () => {
  const expressions = rules.map(({ expr }) => expr).join('\n')
  for (const part of [
    'sallyport_spool_fullness_ratio > 0.8',
    'oldest_waiting_seconds) > 30',
    'state="dead"',
    'by="degraded"',
    '5xx',
    'added_latency_seconds_bucket',
    'sallyport_pipeline_difference[15m])) < 0',
    'sallyport_need_up == 0',
    'absent(up{',
    'exported_job="log-archive",outcome="failed"',
    'sallyport_jobs_total{outcome="failed"}',
    'sallyport_mails_total{outcome=~"deferred|failed"}',
    'result="429"',
  ])
    expect(expressions).toContain(part)
})

test("scheduled jobs go by the name that Prometheus gives to their label, because `job` is the scrape's", () => {
  const panels = dashboards.flatMap((dashboard) => dashboard.panels.flatMap(({ targets }) => targets))
  const asked = [...rules, ...panels].filter(({ expr }) => expr.includes('sallyport_job'))
  expect(asked.length).toBeGreaterThan(1)
  expect(asked.filter((each) => /\bjob\b/.test(JSON.stringify(each)))).toEqual([])
})

test('every alert has been made to fire', () => {
  const tests = read('alerts.test.yml')
  const fires = (alert: string) => new RegExp(`alertname(?:="|: )${alert}\\b`).test(tests)
  expect(rules.map(({ alert }) => alert).filter((alert) => !fires(alert))).toEqual([])
})

const promtool = findCommand(['promtool'])
test.skipIf(!promtool)('promtool, where it is installed, finds that alerts fire when they should', async () => {
  await execa(promtool!, ['test', 'rules', join(import.meta.dirname, 'alerts.test.yml')])
})

test('every variable of a panel or query is defined, and every one that is defined is used', () => {
  for (const { title, variables, panels, queries } of dashboards) {
    const used = [...JSON.stringify([panels, queries]).matchAll(/\$\{?(?!__)(\w+)/g)].map(([, name]) => name)
    expect([...new Set(used)].toSorted(), title).toEqual(variables.map(({ name }) => name).toSorted())
  }
})

test('the first dashboard begins with the golden signals, and has usage, keys, the drain and the event loop', () => {
  const home = composeFile.services['grafana']!.environment['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH']!
  const gateway = dashboards.find(({ file }) => home.endsWith(`/${file}`))
  expect(gateway?.panels.slice(0, 4).map(({ title }) => title.split(' ', 1).join())).toEqual([
    'Traffic',
    'Errors',
    'Latency',
    'Saturation',
  ])
  const asked = gateway!.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')
  for (const part of [
    'sallyport_usage_tokens_total{model=~"$model"}',
    'sallyport_usage_cost_usd_total{model=~"$model"}',
    '{key=~"$key",result="429"}',
    'sallyport_draining{',
    'nodejs_eventloop_lag_p99_seconds{',
  ])
    expect(asked).toContain(part)
})

test('panels do not overlap', () => {
  for (const { cells: panels, title } of dashboards) {
    const cells = panels.flatMap(({ gridPos: { x, y, w } }) => Array.from({ length: w }, (_, at) => `${y}/${x + at}`))
    expect(new Set(cells).size, title).toBe(cells.length)
  }
})

const ScrapeJob = z.looseObject({
  job_name: z.string(),
  relabel_configs: z.array(
    z.object({ action: z.string(), regex: z.string(), target_label: z.string() }).partial().loose(),
  ),
})

test('Prometheus scrapes every service that has metrics, and Grafana finds Prometheus and its dashboards', () => {
  const { scrape_configs: jobs, rule_files: files } = z
    .looseObject({
      rule_files: z.array(z.string()),
      scrape_configs: z.array(
        z.looseObject({ dns_sd_configs: z.array(z.looseObject({ names: z.array(z.string()), port: z.number() })) }),
      ),
    })
    .parse(parseYaml('prometheus.yml'))
  const targets = jobs.flatMap((job) => job.dns_sd_configs)
  const serving = Object.entries(composeFile.services).filter(
    ([, { build, restart }]) => build && restart === 'unless-stopped',
  )
  expect(targets.flatMap(({ names }) => names).toSorted()).toEqual(serving.map(([name]) => name).toSorted())
  const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8')
  for (const { port } of targets) expect(dockerfile).toContain(`METRICS_PORT=${port}`)
  const { prometheus, grafana } = composeFile.services
  for (const file of files) expect(prometheus!.volumes.join('\n')).toContain(`deploy/observability/${file}:`)

  const sources = JSON.stringify(parseYaml('grafana/provisioning/datasources/prometheus.yml'))
  for (const { variables } of dashboards)
    for (const { type, current } of variables)
      if (type === 'datasource') expect(sources).toContain(`"uid":"${current.value}"`)
  expect(sources).toContain('http://prometheus:9090')
  const [, path] = /"path":"([^"]+)"/.exec(JSON.stringify(parseYaml('grafana/provisioning/dashboards/sallyport.yml')))!
  expect(grafana!.volumes).toContain(`./deploy/observability/grafana/dashboards:${path}:ro`)
})

test('the scrape job for Kubernetes has the name and the label of that for Compose, and finds the pods', () => {
  const [compose, kubernetes] = ['prometheus.yml', 'prometheus-kubernetes.yml'].map(
    (file) => z.looseObject({ scrape_configs: z.tuple([ScrapeJob]) }).parse(parseYaml(file)).scrape_configs[0],
  )
  const labelsOf = (job: typeof compose) => job!.relabel_configs.flatMap(({ target_label: label }) => label ?? [])
  expect(kubernetes!.job_name).toBe(compose!.job_name)
  expect(labelsOf(kubernetes)).toEqual(labelsOf(compose))
  const keeps = kubernetes!.relabel_configs.filter(({ action }) => action === 'keep')
  expect(keeps.map(({ regex }) => regex)).toEqual(['sallyport', 'true', 'metrics'])
  for (const role of ['proxy', 'api', 'worker']) {
    const text = readFileSync(join(root, `deploy/kubernetes/base/${role}.yaml`), 'utf8')
    expect(text).toContain(`labels: { app.kubernetes.io/name: sallyport, app.kubernetes.io/component: ${role} }`)
    expect(text).toContain("prometheus.io/scrape: 'true'")
    expect(text).toContain('name: metrics, containerPort')
  }
})

test("the collector's pipelines use what it has", () => {
  const Parts = z.record(z.string(), z.unknown())
  const config = z
    .strictObject({
      receivers: Parts,
      processors: Parts,
      exporters: Parts,
      service: z.strictObject({
        pipelines: z.record(
          z.string(),
          z.strictObject({
            receivers: z.array(z.string()),
            processors: z.array(z.string()),
            exporters: z.array(z.string()),
          }),
        ),
      }),
    })
    .parse(parseYaml('otel-collector.yml'))
  for (const pipeline of Object.values(config.service.pipelines))
    for (const kind of ['receivers', 'processors', 'exporters'] as const)
      expect(Object.keys(config[kind])).toEqual(expect.arrayContaining(pipeline[kind]))
})

test('the autoscaler of the proxies is given the metric that it asks for', () => {
  const adapter = JSON.stringify(parseYaml('prometheus-adapter.yml'))
  const autoscaler = readFileSync(join(root, 'deploy/kubernetes/base/proxy-autoscaling.yaml'), 'utf8')
  expect(autoscaler).toContain('sallyport_proxy_in_flight')
  expect(adapter).toContain('"as":"sallyport_proxy_in_flight"')
})
