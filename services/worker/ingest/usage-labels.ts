import { STATUS_CODES } from '#core/http/node-http.ts'
import { remember } from '#core/remember.ts'
import { createPriceList } from '#schemas/model-prices.ts'
import type { OwnModelPrice } from '#schemas/own-model-prices.ts'
import { proxyErrors } from '#schemas/proxy-errors.ts'
import { RequestOutcome } from '#schemas/request-outcome.ts'

/** How many keys get their own label value. Each one adds a series for every result that it has ever had. */
const maxKeys = 200

const other = 'other'
const statuses = Object.keys(STATUS_CODES)

/** 0 means no response. */
const knownStatuses = new Set([0, ...statuses.map(Number)])
const knownResults = new Set([...statuses, ...Object.keys(proxyErrors), ...RequestOutcome.options])

export type UsageLabels = ReturnType<typeof createUsageLabels>

/** Maps what clients and providers send to a bounded number of label values. */
export function createUsageLabels(operatorPrices?: readonly OwnModelPrice[]) {
  const prices = createPriceList({ operator: operatorPrices })
  const modelLabel = remember((name) => prices.nameOf(name) ?? other)
  const keys = new Set<string>()
  return {
    /** The name in the price list, so that versions and fine-tuned models share one. */
    model: (name: string | null): string => (name === null ? 'none' : modelLabel(name)),
    status: (status: number): string => (knownStatuses.has(status) ? String(status) : other),
    /** @param result a status or an error code */
    result: (result: string): string => (knownResults.has(result) ? result : other),
    /** @param id of a provider key */
    key(id: string): string {
      if (keys.size < maxKeys) keys.add(id)
      return keys.has(id) ? id : other
    },
  }
}
