import { expect, test } from 'vitest'
import { createPriceList } from '#schemas/model-prices.ts'
import { RequestEvent } from '#schemas/request-event.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { meter, meterSession } from './metering.ts'

test('the highest price and the most tokens still make a valid log', () => {
  const prices = createPriceList({
    own: [{ pattern: 'm', input: 10_000, cachedInput: null, output: 10_000, perRequest: null }],
  })
  const usage = { promptTokens: 0xffff_ffff, completionTokens: 0, cachedTokens: 0 }
  const event = requestEvent({ method: 'POST', model: 'm' })
  const one = meter(event, prices, { usage, fallbacks: [] })
  const two = meterSession(one, prices, 'm', usage)
  for (const metered of [one, two]) expect(() => RequestEvent.parse({ ...event, ...metered })).not.toThrow()
})

test('what is billed by its duration shows no tokens', () => {
  const usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, seconds: 90 }
  const metered = meter(requestEvent({ method: 'POST', model: 'whisper-1' }), createPriceList(), {
    usage,
    fallbacks: [],
  })
  expect(metered).toMatchObject({ promptTokens: null, completionTokens: null, costNanoUsd: 9_000_000 })
})
