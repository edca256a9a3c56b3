import { z } from 'zod'
import { endpoints, type ProviderEndpoint } from '#schemas/endpoints.ts'
import { product } from '#schemas/product.ts'
import { httpErrors, type ProxyErrorCode, proxyErrors } from '#schemas/proxy-errors.ts'
import { providerResponses } from './provider-responses.ts'

/** Error responses of the proxy itself, in the provider's format. Source: product.md 5.10. */
const ProviderError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
})

/** Source: product.md 7.11. */
const metadataHeader = {
  name: 'x-sallyport-metadata',
  in: 'header',
  description:
    'Tags for the log of this request: a JSON object with up to 16 string values. They are not sent to the provider. Invalid tags are dropped, and the response names them in `x-sallyport-warning`.',
  schema: { type: 'string', maxLength: 8192, example: '{"customer":"acme","feature":"search"}' },
}

const jsonSchema = (schema: z.ZodType) => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema)
  return rest
}
const json = (schema: object, example: unknown) => ({ 'application/json': { schema, example } })
const anyObject = { type: 'object', additionalProperties: true }

const errorResponse = (description: string, sent: z.input<typeof ProviderError>['error']) => ({
  description,
  content: json(jsonSchema(ProviderError), { error: sent }),
})

function error(code: ProxyErrorCode, description: string) {
  const { type, message } = proxyErrors[code]
  return errorResponse(description, { message, type, param: null, code })
}

/** Of a request that is not well-formed or arrives too slowly. */
function httpError(status: keyof typeof httpErrors) {
  const [code, message] = httpErrors[status]
  return errorResponse(message, { message, type: 'invalid_request_error', param: null, code })
}

/** Source: product.md 5.10, 5.11. */
const errors = {
  400: error('no_active_key', 'No active API key found, or a request that cannot be forwarded.'),
  401: error('invalid_token', 'Invalid or missing secure token.'),
  403: error(
    'model_not_allowed',
    'The secure token may not be used for this model or from this address, or it has a budget and the cost of the request is not known in advance.',
  ),
  408: httpError(408),
  413: error('body_too_large', 'The body is too large.'),
  414: httpError(414),
  417: httpError(417),
  429: error(
    'token_rate_limited',
    'Too many requests: a limit of the account, the plan or the token, or its budget, is used up.',
  ),
  431: httpError(431),
  500: error('internal_error', 'Server error.'),
  502: error('upstream_unreachable', 'The provider could not be reached or sent an invalid response.'),
  503: error('unavailable', 'The gateway is full, or a store that it needs is unavailable.'),
  504: error('upstream_timeout', 'The provider did not respond in time.'),
  508: error('loop_detected', 'The base URL leads back to the gateway.'),
}

const success = ({ streamUsage }: ProviderEndpoint, operationId: string) => ({
  description: 'The response of the provider.',
  content: {
    ...json(anyObject, providerResponses[operationId]),
    ...(streamUsage && { 'text/event-stream': { schema: { type: 'string' } } }),
  },
})

/** The documented endpoints of the proxy. */
export const dataPlanePaths = Object.fromEntries(
  endpoints.flatMap((endpoint) => {
    const { path, method, documentation, sample } = endpoint
    if (!documentation) return []
    const { operationId, summary, requiredFields } = documentation
    const operation = {
      tags: ['Proxy'],
      operationId,
      summary,
      description:
        'The request is forwarded unchanged, except that a provider key replaces the secure token. The response is returned unchanged.',
      security: [{ secureToken: [] }],
      parameters: [metadataHeader],
      ...(method === 'POST' && {
        requestBody: { required: true, content: json({ ...anyObject, required: requiredFields }, sample) },
      }),
      responses: { 200: success(endpoint, operationId), ...errors },
    }
    return [[product.proxyPath + path, { [method.toLowerCase()]: operation }] as const]
  }),
)
