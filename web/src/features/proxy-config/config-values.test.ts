import { expect, it } from 'vitest'
import { ProxyConfig } from '#schemas/proxy-config.ts'
import { savedConfig } from './config-values.ts'

it('leaves out settings that were not edited, so that a change in another tab is kept', () => {
  const loaded = ProxyConfig.parse({})
  const { baseUrl, timeout, retryAttempts, rateLimitEnabled, maxRequestsPerMinute } = loaded
  const always = { baseUrl, timeout, retryAttempts, rateLimitEnabled, maxRequestsPerMinute }
  expect(savedConfig(loaded, { timeout: true })).toEqual(always)
  expect(savedConfig({ ...loaded, logBodies: true }, { logBodies: true })).toEqual({ ...always, logBodies: true })
})
