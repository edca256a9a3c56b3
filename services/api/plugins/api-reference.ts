import { hash } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyPluginAsync, type LightMyRequestResponse } from 'fastify'
import { product } from '#schemas/product.ts'
import { openApiPath } from './openapi.ts'

const prefix = '/api/reference'
const urls = [prefix, `${prefix}/`, `${prefix}/js/scalar.js`]

const inlineScript = /<script\b(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g

/** The API reference page, without external resources. The policy allows its inline script by hash. */
export const apiReference: FastifyPluginAsync = async (app) => {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (!String(reply.getHeader('content-type')).startsWith('text/html')) return
    const hashes = [...String(payload).matchAll(inlineScript)].map(
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
  let page: Promise<FastifyInstance> | undefined
  for (const url of urls) {
    // Kept, because the script has 4 MB: all clients share one copy, however slowly they read it.
    let response: Promise<LightMyRequestResponse> | undefined
    app.get(url, { schema: { hide: true } }, async (_request, reply) => {
      page ??= loadPage()
      response ??= page.then((loaded) => loaded.inject(url))
      const { statusCode, headers, rawPayload } = await response
      if (headers.location) return reply.redirect(headers.location, statusCode)
      return reply.type(String(headers['content-type'])).send(rawPayload)
    })
  }
}

/** Loaded with its first request, because it takes 60 MB of memory and few people ever read it. */
async function loadPage(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const page = fastify()
  await page.register(scalar, {
    routePrefix: prefix,
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
  return page
}
