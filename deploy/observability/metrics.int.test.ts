import { expect, test } from 'vitest'
import { findFreePort } from '#tools/process/free-port.ts'
import { startStack } from '#tools/stack/launched-stack.ts'
import { askedMetrics } from './provisioned.ts'

/** Prometheus has it of every target. */
const ofPrometheus = 'up'

/** Names under which Prometheus stores what a `/metrics` serves, also of metrics that have no value yet. */
const namesIn = (text: string) =>
  [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!],
  )

test('alerts and dashboards ask for metrics that the services serve', async () => {
  // The second process of the embedded stack has the next port.
  const port = await findFreePort()
  const stack = await startStack({
    env: { METRICS_PORT: String(port), SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'http://127.0.0.1' },
  })
  try {
    const texts = await Promise.all(
      [port, port + 1].map(async (each) => (await fetch(`http://127.0.0.1:${each}/metrics`)).text()),
    )
    const served = new Set([ofPrometheus, ...texts.flatMap(namesIn)])
    expect(askedMetrics.length).toBeGreaterThan(30)
    expect(askedMetrics.filter((name) => !served.has(name))).toEqual([])
  } finally {
    await stack.stop()
  }
}, 180_000)
