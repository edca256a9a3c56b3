/**
 * The path that replaces `/v1`. A base URL with a path is used exactly as an SDK would use it. Source: product.md 5.13.
 */
export const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, '') || '/v1'

/** @param path below `/v1`, such as `/models` */
export const toUpstreamUrl = (baseUrl: string, path: string): string =>
  new URL(baseUrl).origin + basePathOf(baseUrl) + path
