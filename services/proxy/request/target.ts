import { deployments } from '#schemas/endpoints.ts'
import { decodedIfValid } from '#schemas/percent-encoding.ts'
import { product } from '#schemas/product.ts'
import { isProxyPath } from '#schemas/proxy-path.ts'

export interface Target {
  /** The path without its query, as shown in the log. */
  endpoint: string
  pathAndQuery: string
}

const version = '/v1'

export const upstreamPathOf = ({ basePath }: { basePath: string }, { pathAndQuery }: Target): string =>
  basePath === version ? pathAndQuery : basePath + pathAndQuery.slice(version.length)

/**
 * @param url including the proxy's prefix, which must be spelled exactly
 * @returns undefined when the path is ambiguous
 */
export function parseTarget(url: string): Target | undefined {
  if (!url.startsWith(product.proxyPath) || url.includes('#')) return undefined
  const pathAndQuery = url.slice(product.proxyPath.length)
  const queryAt = pathAndQuery.indexOf('?')
  const endpoint = queryAt === -1 ? pathAndQuery : pathAndQuery.slice(0, queryAt)
  return isProxyPath(endpoint) ? { endpoint, pathAndQuery } : undefined
}

const deploymentCollection = RegExp(`^${deployments}$`, 'i')
/** Google's syntax: `/v1/models/gemini-2.5-pro:generateContent`. */
const modelsWithMethods = /^(?:models|tunedmodels)$/i

/** The model named in a path, which takes precedence over the body's. Providers decode paths, and may ignore case. */
export function modelInPath({ endpoint }: Target): string | undefined {
  const nameAt = endpoint.indexOf('/', version.length + 1) + 1
  if (nameAt === 0) return undefined
  const collection = decodedIfValid(endpoint.slice(version.length + 1, nameAt - 1))
  if (deploymentCollection.test(collection)) {
    const end = endpoint.indexOf('/', nameAt)
    return end === -1 ? undefined : decodedIfValid(endpoint.slice(nameAt, end))
  }
  const name = modelsWithMethods.test(collection) ? decodedIfValid(endpoint.slice(nameAt)) : ''
  const methodAt = name.lastIndexOf(':')
  return methodAt === -1 ? undefined : name.slice(0, methodAt)
}

/** Every model that a server could read from a query: they differ in separators, letter case and lists (`model[]`). */
export function modelsInQuery({ endpoint, pathAndQuery }: Target): string[] {
  const query = pathAndQuery.slice(endpoint.length + 1)
  if (query === '') return []
  const models = readModels(query)
  if (!query.includes(';')) return models
  const others = readModels(query.replaceAll(';', '&'))
  return String(models) === String(others) ? models : [...models, ...others]
}

const readModels = (query: string): string[] =>
  [...new URLSearchParams(query)].filter(([name]) => /^\s*model\s*(?:\[|$)/i.test(name)).map(([, model]) => model)
