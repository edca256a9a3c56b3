/** The path at the provider. A base URL that already ends in `/v1` does not repeat it. */
export const upstreamPath = (baseUrl: string, pathAndQuery: string): string =>
  new URL(baseUrl).pathname.replace(/\/+$/, '').replace(/\/v1$/, '') + pathAndQuery
