import { product } from '#schemas/product.ts'

/** Segments that a proxy and a provider could read differently: dots, backslashes, encoded slashes, NUL. */
const ambiguous = /(?:^|\/)\.\.?(?:\/|$)|\/\/|\\|%(?:2e|2f|5c|00|25)/i

/** Routes match other spellings of it too (`/%61pi`); only this one can be taken away by its length. */
const prefix = `${product.proxyPath}/v1/`

/** Where a request goes below the provider's origin. */
export interface Target {
  /** What the log shows: path without query. */
  endpoint: string
  /** What follows the prefix, with the query. */
  pathAndQuery: string
}

/**
 * @param url as the client sent it, with the proxy's prefix
 * @returns undefined when the path could be read in two ways
 */
export function parseTarget(url: string): Target | undefined {
  if (!url.startsWith(prefix) || url.includes('#')) return undefined
  const pathAndQuery = url.slice(product.proxyPath.length)
  const queryAt = pathAndQuery.indexOf('?')
  const endpoint = queryAt === -1 ? pathAndQuery : pathAndQuery.slice(0, queryAt)
  return ambiguous.test(endpoint) ? undefined : { endpoint, pathAndQuery }
}
