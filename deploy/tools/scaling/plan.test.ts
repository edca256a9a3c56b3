import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bottlenecksOf, capacity, planFor, simulateOutage } from './plan.ts'

const gib = 2 ** 30

test('a plan carries its load, and one node less would not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (requestsPerSecond) => {
      const plan = planFor(requestsPerSecond)
      const { nodes } = plan
      for (const part of ['proxy', 'worker', 'ClickHouse', 'state Redis', 'queue Redis'] as const) {
        expect(nodes[part] * capacity[part]).toBeGreaterThanOrEqual(requestsPerSecond)
      }
      for (const part of ['worker', 'state Redis', 'queue Redis'] as const) {
        if (nodes[part] > 2) expect((nodes[part] - 1) * capacity[part]).toBeLessThan(requestsPerSecond)
      }
      // The autoscaler's own figure.
      expect(nodes.proxy * 2_000).toBeGreaterThanOrEqual(plan.openRequests)
      expect(bottlenecksOf(plan).every(({ headroom }) => headroom > 1)).toBe(true)
    }),
  )
})

test('open requests, inserts and connections to Postgres are planned, besides CPU', () => {
  expect(planFor(10_000)).toMatchObject({ openRequests: 50_000, insertsPerSecond: 2, postgresConnections: 290 })
  // Here groups are full before their time is up.
  expect(planFor(100_000).insertsPerSecond).toBe(14)
  expect(planFor(10_000).nodes.proxy).toBe(25)
})

test('events that do not fit into the queue wait in the spools, and all are stored in the end', () => {
  const { nodes } = planFor(10_000)
  const roomy = simulateOutage({ requestsPerSecond: 10_000, outageSeconds: 600, nodes, queueMaxBytes: 100 * gib })
  expect(roomy.spoolBytes).toBe(0)
  const tight = simulateOutage({ requestsPerSecond: 10_000, outageSeconds: 600, nodes, queueMaxBytes: gib })
  expect(tight.queueBytes).toBeLessThanOrEqual(gib)
  expect(tight.spoolBytes).toBeGreaterThan(0)
  expect(tight.drainedAfterSeconds).toBeGreaterThan(0)
})

test('workers that can not keep up never catch up', () => {
  const nodes = { ...planFor(10_000).nodes, worker: 0 }
  const outage = simulateOutage({ requestsPerSecond: 10_000, outageSeconds: 60, nodes, queueMaxBytes: gib })
  expect(outage.drainedAfterSeconds).toBeUndefined()
})
