import { product } from '#schemas/product.ts'
import { isProxyPath } from '#schemas/proxy-path.ts'

export interface Target {
  /** The path without its query, as the log shows it. */
  endpoint: string
  pathAndQuery: string
}

const version = '/v1'

export const upstreamPathOf = ({ basePath }: { basePath: string }, { pathAndQuery }: Target): string =>
  basePath === version ? pathAndQuery : basePath + pathAndQuery.slice(version.length)

/**
 * @param url with the proxy's prefix. Routes match other spellings of it too (`/%61pi`), but their length differs.
 * @returns undefined when the path could be read in two ways
 */
export function parseTarget(url: string): Target | undefined {
  if (!url.startsWith(product.proxyPath) || url.includes('#')) return undefined
  const pathAndQuery = url.slice(product.proxyPath.length)
  const queryAt = pathAndQuery.indexOf('?')
  const endpoint = queryAt === -1 ? pathAndQuery : pathAndQuery.slice(0, queryAt)
  return isProxyPath(endpoint) ? { endpoint, pathAndQuery } : undefined
}

/** Every model that some server could read in a query: they differ in separators, letter case and lists (`model[]`). */
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
