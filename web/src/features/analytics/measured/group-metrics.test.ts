import { expect, it } from 'vitest'
import { groupMetrics } from './group-metrics.ts'

it('shows the costs of a column with the same number of decimals', () => {
  const cost = groupMetrics.find(({ title }) => title === 'Cost')
  expect([257_927_000, 4_100_000].map((nanoUsd) => cost?.exact(nanoUsd))).toEqual(['$0.257927', '$0.004100'])
})
