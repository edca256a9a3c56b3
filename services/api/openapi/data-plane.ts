import { z } from 'zod'
import { endpoints, type ProviderEndpoint } from '#schemas/endpoints.ts'
import { product } from '#schemas/product.ts'

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
    'Tags of the request, for its log only: a JSON object of up to 16 keys. What is wrong with them is said in `x-sallyport-warning`.',
  schema: { type: 'string', maxLength: 8192, example: '{"customer":"acme","feature":"search"}' },
}

const jsonSchema = (schema: z.ZodType) => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema)
  return rest
}
const json = (schema: object) => ({ 'application/json': { schema } })
const anyObject = { type: 'object', additionalProperties: true }
const error = (description: string) => ({ description, content: json(jsonSchema(ProviderError)) })

/** Source: product.md 5.10, 5.11. */
const errors = {
  400: error('No active API key found, or a request that can not be passed on.'),
  401: error('Invalid or missing secure token.'),
  403: error(
    'The secure token may not be used for this model or from this address, or it has a budget and the cost of the request can not be told.',
  ),
  413: error('The body is too large.'),
  429: error('Too many requests: a limit of the account, the plan or the token, or its budget, is used up.'),
  500: error('Server error.'),
  502: error('The provider could not be reached or sent something that is not a response.'),
  504: error('The provider did not respond in time.'),
}

const success = ({ streamUsage }: ProviderEndpoint) => ({
  description: 'The response of the provider.',
  content: { ...json(anyObject), ...(streamUsage && { 'text/event-stream': { schema: { type: 'string' } } }) },
})

/** The documented endpoints of the proxy. */
export const dataPlanePaths = Object.fromEntries(
  endpoints.flatMap((endpoint) => {
    const { path, method, documentation } = endpoint
    if (!documentation) return []
    const { operationId, summary, requiredFields } = documentation
    const operation = {
      tags: ['Proxy'],
      operationId,
      summary,
      description: 'Passed on to the provider as it is, and so is its response; only the credential is exchanged.',
      security: [{ secureToken: [] }],
      parameters: [metadataHeader],
      ...(method === 'POST' && {
        requestBody: { required: true, content: json({ ...anyObject, required: requiredFields }) },
      }),
      responses: { 200: success(endpoint), ...errors },
    }
    return [[product.proxyPath + path, { [method.toLowerCase()]: operation }] as const]
  }),
)
