import { percentDecoded } from './percent-encoding.ts'

/**
 * Parts of a path that browsers, proxies and providers may interpret differently: dot segments (also with parameters),
 * backslashes, line breaks (which browsers drop), NUL. An encoded slash is part of a name, but also ends a dot segment.
 */
const ambiguous = /(?:^|\/|%2f)\.\.?(?:[;/]|%3b|%2f|$)|\/\/|[\\\t\n\r]|%(?:2e|5c|00|25)/i

/** @param path below the proxy's prefix, without query */
export const isProxyPath = (path: string): boolean =>
  /^\/v1(?:beta)?\//.test(path) && !ambiguous.test(path) && percentDecoded(path) !== undefined
