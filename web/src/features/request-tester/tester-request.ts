import { z } from 'zod'
import { endpoints } from '#schemas/endpoints.ts'
import { product } from '#schemas/product.ts'
import { isProxyPath } from '#schemas/proxy-path.ts'
import { isSecret, isSecretParameter } from '#schemas/secrets.ts'

/** Source: product.md 10.4. */
export const testerMethods = ['POST', 'GET', 'PUT', 'DELETE'] as const

export const TesterRequest = z.object({
  method: z.enum(testerMethods),
  endpoint: z.string(),
  /** JSON text, as typed. */
  headers: z.string(),
  body: z.string(),
})
export type TesterRequest = z.infer<typeof TesterRequest>

const pretty = (value: unknown) => JSON.stringify(value, null, 2)

/** Suggestions for the endpoint field, each with a sample body. */
export const endpointSamples: Record<string, { method: TesterRequest['method']; body: string }> = Object.fromEntries(
  endpoints.flatMap(({ path, method, sample }) =>
    sample ? [[path, { method, body: method === 'GET' ? '' : pretty(sample) }] as const] : [],
  ),
)

const invalidEndpoint =
  'Enter a path of the provider that begins with /v1/: no address in front, no dots between slashes, no backslashes.'

const firstEndpoint = '/v1/chat/completions'

export const defaultRequest: TesterRequest = {
  method: 'POST',
  endpoint: firstEndpoint,
  headers: pretty({ 'Content-Type': 'application/json' }),
  body: endpointSamples[firstEndpoint]?.body ?? '',
}

const isSampleBody = (body: string) => Object.values(endpointSamples).some((sample) => sample.body === body)

/** Changing the endpoint also changes the sample body, unless the body has been edited. */
export function withEndpoint(request: TesterRequest, endpoint: string): TesterRequest {
  const sample = endpointSamples[endpoint]
  return sample && isSampleBody(request.body) ? { ...request, endpoint, ...sample } : { ...request, endpoint }
}

/** The provider's path and query; removes a pasted prefix and adds a missing slash. */
function providerPath(endpoint: string): string {
  const path = endpoint.trim()
  const rest = path.startsWith(`${product.proxyPath}/`) ? path.slice(product.proxyPath.length) : path
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Error for an invalid endpoint. A request carries the session, so it must go to the provider only. */
export const endpointError = (endpoint: string) =>
  isProxyPath(providerPath(endpoint).replace(/[?#].*$/s, '')) ? undefined : invalidEndpoint

/** The path to request. @throws TypeError for one that `endpointError` rejects */
export function requestPath(endpoint: string): string {
  const error = endpointError(endpoint)
  if (error) throw new TypeError(error)
  return product.proxyPath + providerPath(endpoint)
}

/** The body to send. Source: product.md 10.4. */
export const sentBody = ({ method, body }: TesterRequest) => (method === 'GET' || body.trim() === '' ? undefined : body)

const HeaderValues = z.record(
  z.string(),
  z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]),
)

const parseHeaders = ({ headers }: TesterRequest) => HeaderValues.parse(JSON.parse(headers))

/**
 * The headers to send; the content type of a body defaults to JSON.
 * @throws SyntaxError or ZodError when the text is not a JSON object of headers
 */
export function sentHeaders(request: TesterRequest): Record<string, string> {
  const headers = parseHeaders(request)
  const hasContentType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return sentBody(request) === undefined || hasContentType
    ? headers
    : { 'Content-Type': 'application/json', ...headers }
}

/**
 * The request as it may be stored: without the headers and the parts of its query that are credentials.
 * @throws as `sentHeaders` does
 */
export function withoutSecrets(request: TesterRequest): TesterRequest {
  const [path = '', query = ''] = request.endpoint.split(/\?(.*)/s)
  const parameters = query.split('&').filter((parameter) => parameter !== '' && !isSecretParameter(parameter))
  const headers = Object.entries(parseHeaders(request)).filter(([name, value]) => !isSecret(name.toLowerCase(), value))
  return {
    ...request,
    endpoint: parameters.length > 0 ? `${path}?${parameters.join('&')}` : path,
    headers: pretty(Object.fromEntries(headers)),
  }
}
