import { Counter, type Registry } from 'prom-client'
import type { Config } from '#core/config.ts'
import { nanoUsdPerUsd } from '#core/units.ts'
import { createUsageLabels } from './usage-labels.ts'
import type { UsageTally } from './usage-tally.ts'

export type UsageMetrics = ReturnType<typeof createUsageMetrics>

/** Usage of the logs that this worker stores: exact, and at no cost to requests. */
export function createUsageMetrics(registry: Registry, config: Partial<Pick<Config, 'modelPrices'>> = {}) {
  const registers = [registry]
  const requests = new Counter({
    name: 'sallyport_usage_requests_total',
    help: 'Requests whose log is stored, by status sent to the client; 0 if there was no response.',
    labelNames: ['model', 'status'],
    registers,
  })
  const tokens = new Counter({
    name: 'sallyport_usage_tokens_total',
    help: 'Tokens of requests whose log is stored; input includes cached tokens.',
    labelNames: ['model', 'type'],
    registers,
  })
  const cost = new Counter({
    name: 'sallyport_usage_cost_usd_total',
    help: 'Known cost of requests whose log is stored.',
    labelNames: ['model'],
    registers,
  })
  const attempts = new Counter({
    name: 'sallyport_upstream_attempts_total',
    help: 'Requests to providers, retries included, by status or error code.',
    labelNames: ['key', 'result'],
    registers,
  })
  return {
    labels: createUsageLabels(config.modelPrices),
    count({ models, keys }: Pick<UsageTally, 'models' | 'keys'>): void {
      for (const [model, usage] of models) {
        for (const [status, count] of usage.requestsByStatus) requests.inc({ model, status }, count)
        tokens.inc({ model, type: 'input' }, usage.inputTokens)
        tokens.inc({ model, type: 'output' }, usage.outputTokens)
        tokens.inc({ model, type: 'cached' }, usage.cachedTokens)
        cost.inc({ model }, usage.costNanoUsd / nanoUsdPerUsd)
      }
      for (const [key, results] of keys) for (const [result, count] of results) attempts.inc({ key, result }, count)
    },
  }
}
