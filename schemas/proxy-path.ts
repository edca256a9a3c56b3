/**
 * What a browser, a proxy and a provider could read differently: segments of dots, also with parameters behind them,
 * backslashes, line breaks that browsers leave out, encoded slashes, NUL.
 */
const ambiguous = /(?:^|\/)\.\.?(?:[;/]|%3b|$)|\/\/|[\\\t\n\r]|%(?:2e|2f|5c|00|25)/i

/** @param path what follows the proxy's path, without query */
export const isProxyPath = (path: string): boolean => path.startsWith('/v1/') && !ambiguous.test(path)
