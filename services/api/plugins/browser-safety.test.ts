import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { browserSafety } from './browser-safety.ts'
import { errorHandler } from './errors.ts'
import { requestOrigin } from './request-origin.ts'

async function headersOf(url: string, paymentOrigins: string[]) {
  const app = Fastify()
  for (const plugin of [errorHandler, requestOrigin]) await app.register(plugin)
  await app.register(browserSafety, { secure: true, paymentOrigins })
  app.setNotFoundHandler((_request, reply) => reply.type('text/html').send('page'))
  const { headers } = await app.inject(url)
  return headers
}

test.each(['/pricing?pay=true', '/pricing/?pay=true', '/pricing?from=profile&pay=true'])(
  '%s allows the payment provider',
  async (url) => {
    const headers = await headersOf(url, ['https://*.paypal.com'])
    const csp = headers['content-security-policy']
    expect(csp).toContain("script-src 'self' https://*.paypal.com;")
    expect(csp).toContain("frame-src 'self' https://*.paypal.com")
    expect(csp).toContain("frame-ancestors 'none'")
    expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups')
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  },
)

test.each([
  ['/', ['https://*.paypal.com']],
  ['/pricing', ['https://*.paypal.com']],
  ['/pricing?pay=truely', ['https://*.paypal.com']],
  ['/pricing-of-others?pay=true', ['https://*.paypal.com']],
  ['/profile?next=/pricing&pay=true', ['https://*.paypal.com']],
  ['/pricing?pay=true', []],
])('%s allows no other origin (%j)', async (url, origins) => {
  const headers = await headersOf(url, origins)
  expect(headers['content-security-policy']).not.toContain('paypal')
  expect(headers['cross-origin-opener-policy']).toBe('same-origin')
  expect(headers['x-frame-options']).toBe('DENY')
})
