import swagger from '@fastify/swagger'
import fp from 'fastify-plugin'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { accountHeader } from '#schemas/account.ts'
import { type ProblemCode, SentProblem } from '#schemas/problems.ts'
import { product } from '#schemas/product.ts'
import { Problem } from '#core/problem.ts'
import { version } from '#core/version.ts'
import { dataPlanePaths } from '../openapi/data-plane.ts'
import { addExamples } from '../openapi/examples.ts'
import { fieldExamples } from '../openapi/field-examples.ts'
import { nameOperations, shareErrors } from '../openapi/operations.ts'

export const openApiPath = '/api/openapi.json'

const problem = (description: string, code: ProblemCode) => {
  const example = new Problem(code).toDetails(String(fieldExamples['instance']))
  return { description, content: { 'application/problem+json': { schema: SentProblem.meta({ example }) } } }
}

/** Error responses of every route. */
const problemResponses = {
  '4xx': problem(
    'The call was rejected; `code` says why. If it can be repeated later, `Retry-After` says after how many seconds.',
    'invalid-request',
  ),
  '5xx': problem('The server failed, or a store or service that it needs is unavailable.', 'unavailable'),
}

/** Documents the routes that are registered after it. */
export const openApi = fp<{ cookieName: string }>(
  async (app, { cookieName }) => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: `${product.name} API`,
          version,
          license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
          description:
            'The control plane accepts a session cookie or, from scripts, a management key; the proxy accepts a secure token. ' +
            'A signed-in call that creates something (201) can be repeated with the same `Idempotency-Key`: for 24 hours it gets ' +
            'the first response, with `idempotency-replayed: true`. ' +
            `A call with a cookie may name an account in the header \`${accountHeader}\`; if another one is signed in, ` +
            'it fails with 409 `other_account`.',
        },
        // Relative to the document: the same host.
        servers: [{ url: '/' }],
        components: {
          securitySchemes: {
            session: { type: 'apiKey', in: 'cookie', name: cookieName },
            managementKey: { type: 'http', scheme: 'bearer', bearerFormat: `${product.managementKeyPrefix}…` },
            secureToken: { type: 'http', scheme: 'bearer', bearerFormat: `${product.tokenPrefix}…` },
          },
        },
      },
      transform: (document) => {
        const { schema, url } = jsonSchemaTransform(document)
        // Bodies other than JSON are binary, which zod can't express.
        const body = schema.consumes ? { body: { type: 'string', format: 'binary' } } : {}
        return { schema: { tags: tagsOf(url), ...schema, ...body }, url }
      },
      transformObject: (document) => {
        if (!('openapiObject' in document)) throw new Error('not an OpenAPI document')
        const { openapiObject } = document
        const paths = Object.assign((openapiObject.paths ??= {}), dataPlanePaths)
        addExamples(paths)
        nameOperations(paths)
        Object.assign((openapiObject.components ??= {}), { responses: shareErrors(paths) })
        return openapiObject
      },
    })
    app.addHook('onRoute', (route) => {
      if (!route.url.startsWith('/api/') || route.schema?.hide) return
      const { response } = route.schema ?? {}
      const documented = typeof response === 'object' ? response : {}
      route.schema = { ...route.schema, response: { ...documented, ...problemResponses } }
    })
    // Anyone can request it: all clients share one copy.
    let document: Buffer | undefined
    app.get(
      openApiPath,
      { schema: { summary: 'Get this OpenAPI document', response: { 200: z.record(z.string(), z.unknown()) } } },
      (_request, reply) => {
        document ??= Buffer.from(JSON.stringify(app.swagger()))
        return reply.type('application/json; charset=utf-8').send(document)
      },
    )
  },
  { name: 'openapi', dependencies: ['known-methods'] },
)

const tags: [RegExp, string][] = [
  [
    /^\/api\/(?:login|logout|register|registration|forgot-password|reset-password|confirm-email|email-change)/,
    'Sign-in',
  ],
  [/^\/api\/user/, 'Account'],
  [/^\/api\/keys/, 'API keys'],
  [/^\/api\/tokens/, 'Secure tokens'],
  [/^\/api\/proxy/, 'Proxy'],
  [/^\/api\/(?:logs|stats|analytics|views)/, 'Logs and analytics'],
  [/^\/api\/(?:alerts|webhooks)/, 'Alerts'],
  [/^\/api\/model-prices/, 'Model prices'],
  [/^\/api\/(?:paypal|billing|plans|orders)/, 'Billing'],
  [/^\/api\/(?:pipeline|openapi)/, 'Server'],
]
const tagsOf = (url: string) => tags.filter(([pattern]) => pattern.test(url)).map(([, tag]) => tag)
