/**
 * Parts of a path that browsers, proxies and providers may interpret differently: dot segments (also with parameters),
 * backslashes, line breaks (which browsers drop), encoded slashes, NUL.
 */
const ambiguous = /(?:^|\/)\.\.?(?:[;/]|%3b|$)|\/\/|[\\\t\n\r]|%(?:2e|2f|5c|00|25)/i

/** @param path below the proxy's prefix, without query */
export const isProxyPath = (path: string): boolean => path.startsWith('/v1/') && !ambiguous.test(path)
