import { product } from '#schemas/product.ts'

/** Segments that a proxy and a provider could read differently: dots, backslashes, encoded slashes, NUL. */
const ambiguous = /(?:^|\/)\.\.?(?:\/|$)|\/\/|\\|%(?:2e|2f|5c|00|25)/i

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
  const pathAndQuery = url.slice(product.proxyPath.length)
  const queryAt = pathAndQuery.indexOf('?')
  const endpoint = queryAt === -1 ? pathAndQuery : pathAndQuery.slice(0, queryAt)
  return ambiguous.test(endpoint) ? undefined : { endpoint, pathAndQuery }
}
