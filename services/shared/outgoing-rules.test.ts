import { expect, test } from 'vitest'
import { createEgressProxyOf } from './outgoing-rules.ts'

const upstreamProxyUrl = 'http://egress:3128'
const upstreamNoProxy = ['Models.lan', '192.0.2.7', '[fd00::1]']

test.each([
  ['models.lan', true],
  ['models.lan.', true],
  ['gpu.models.lan', true],
  ['othermodels.lan', false],
  ['models.lan.example', false],
  ['192.0.2.7', true],
  ['192.0.2.70', false],
  ['[fd00::1]', true],
  ['[fd00::10]', false],
])('%s is reached directly: %s', (hostname, isDirect) => {
  const proxyUrl = createEgressProxyOf({ upstreamProxyUrl, upstreamNoProxy })(hostname)
  expect(proxyUrl).toBe(isDirect ? undefined : upstreamProxyUrl)
})
