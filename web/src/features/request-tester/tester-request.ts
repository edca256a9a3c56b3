import { z } from 'zod'
import { endpoints } from '#schemas/endpoints.ts'
import { product } from '#schemas/product.ts'
import { isProxyPath } from '#schemas/proxy-path.ts'

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

/** What is offered for the endpoint field; a body goes with each. */
export const endpointSamples: Record<string, { method: TesterRequest['method']; body: string }> = Object.fromEntries(
  endpoints.flatMap(({ path, method, sample }) =>
    sample ? [[path, { method, body: method === 'GET' ? '' : pretty(sample) }] as const] : [],
  ),
)

const wrongEndpoint =
  'Enter a path of the provider that begins with /v1/: no address in front, no dots between slashes, no backslashes.'

const firstEndpoint = '/v1/chat/completions'

export const defaultRequest: TesterRequest = {
  method: 'POST',
  endpoint: firstEndpoint,
  headers: pretty({ 'Content-Type': 'application/json' }),
  body: endpointSamples[firstEndpoint]?.body ?? '',
}

const isSampleBody = (body: string) => Object.values(endpointSamples).some((sample) => sample.body === body)

/** Another endpoint brings its own sample along, unless the body has been edited. */
export function withEndpoint(request: TesterRequest, endpoint: string): TesterRequest {
  const sample = endpointSamples[endpoint]
  return sample && isSampleBody(request.body) ? { ...request, endpoint, ...sample } : { ...request, endpoint }
}

/** The provider's path and query; a pasted prefix or a missing slash is put right. */
function providerPath(endpoint: string): string {
  const path = endpoint.trim()
  const rest = path.startsWith(`${product.proxyPath}/`) ? path.slice(product.proxyPath.length) : path
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Why an endpoint can't be called: the call carries the session, and must not lead elsewhere than to the provider. */
export const endpointError = (endpoint: string) =>
  isProxyPath(providerPath(endpoint).replace(/[?#].*$/s, '')) ? undefined : wrongEndpoint

/** The path to call. @throws TypeError for one that `endpointError` rejects */
export function requestPath(endpoint: string): string {
  const error = endpointError(endpoint)
  if (error) throw new TypeError(error)
  return product.proxyPath + providerPath(endpoint)
}

/** What is sent as body. Source: product.md 10.4. */
export const sentBody = ({ method, body }: TesterRequest) => (method === 'GET' || body.trim() === '' ? undefined : body)

const HeaderValues = z.record(
  z.string(),
  z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]),
)

/**
 * The headers to send; a body that names no type is JSON.
 * @throws SyntaxError or ZodError when the text is no JSON object of names and values
 */
export function sentHeaders(request: TesterRequest): Record<string, string> {
  const headers = request.headers.trim() === '' ? {} : HeaderValues.parse(JSON.parse(request.headers))
  const namesType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return sentBody(request) === undefined || namesType ? headers : { 'Content-Type': 'application/json', ...headers }
}
