import { hash } from 'node:crypto'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyPluginAsync } from 'fastify'
import { product } from '#schemas/product.ts'
import { openApiPath } from './openapi.ts'

const inlineScript = /<script\b(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g

/** The API reference page, without external resources. The policy allows its inline script by hash. */
export const apiReference: FastifyPluginAsync = async (app) => {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (typeof payload !== 'string' || !String(reply.getHeader('content-type')).startsWith('text/html')) return
    const hashes = [...payload.matchAll(inlineScript)].map(
      ([, code = '']) => `'sha256-${hash('sha256', code, 'base64')}'`,
    )
    reply.header(
      'content-security-policy',
      [
        "default-src 'self'",
        `script-src 'self' ${hashes.join(' ')}`,
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ].join(';'),
    )
  })
  await app.register(scalar, {
    routePrefix: '/api/reference',
    configuration: {
      url: openApiPath,
      pageTitle: `${product.name} API`,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
}
