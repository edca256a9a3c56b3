/** Path at the provider. A base URL that already ends in `/v1` does not give `/v1/v1`. */
export const upstreamPath = (baseUrl: string, pathAndQuery: string): string =>
  new URL(baseUrl).pathname.replace(/\/+$/, '').replace(/\/v1$/, '') + pathAndQuery
