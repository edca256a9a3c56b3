import { cutMark, type RequestLog } from '#schemas/request-logs.ts'
import { redacted } from '#schemas/secrets.ts'
import { curlText } from '#web/lib/text/curl-text.ts'

type Request = Pick<RequestLog, 'method' | 'endpoint' | 'query' | 'requestHeaders' | 'requestBody'>

/** Headers that the client sets itself, and credentials. */
const dropped =
  /^(?:authorization|host|connection|content-length|accept-encoding|transfer-encoding|cookie|forwarded|x-forwarded-.*|x-real-ip|x-sallyport-.*)$/i

/** The headers of a logged request that can be sent again. */
export const repeatableHeaders = (headers: Record<string, string> | null) =>
  Object.fromEntries(
    Object.entries(headers ?? {}).filter(([name, value]) => !dropped.test(name) && !value.startsWith('[redacted')),
  )

/** A logged request's path and query, without redacted credentials and the mark of a cut. */
export function repeatablePath({ endpoint, query }: Pick<RequestLog, 'endpoint' | 'query'>): string {
  const parameters =
    query
      ?.replace(cutMark, '')
      .split('&')
      .filter((parameter) => !parameter.includes(redacted)) ?? []
  return parameters.length > 0 ? `${endpoint}?${parameters.join('&')}` : endpoint
}

/**
 * The token comes from the environment, because it is not in the log.
 * @param cut which part of the request was cut, and where
 */
export function curlCommand(
  { method, endpoint, query, requestHeaders, requestBody }: Request,
  proxyUrl: string,
  cut: string | null = null,
): string {
  const url = proxyUrl + repeatablePath({ endpoint, query })
  const warning = cut === null ? '' : `# The logged ${cut}: this sends only its beginning\n`
  const headers = repeatableHeaders(requestHeaders)
  return warning + curlText({ method, url, headers, body: requestBody }, 'Bearer $SALLYPORT_TOKEN')
}
