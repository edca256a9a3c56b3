import { cutMark, keptBodyBytes, keptQuery, type RequestLog } from '#schemas/request-logs.ts'
import { formatBytes, formatCount } from '#web/lib/text/format.ts'

export type BodySide = 'request' | 'response'

/**
 * Where a logged body was cut, and its whole size: `256 KiB of 5.2 MB`; `null` for a whole body, and for a log of
 * several requests, whose size is a sum. A proxy that is short of memory keeps less of a response.
 * Source: product.md 7.3.
 */
export function cutText(log: RequestLog, side: BodySide): string | null {
  const [body, bytes] = side === 'request' ? [log.requestBody, log.requestBytes] : [log.responseBody, log.responseBytes]
  if (body === null || log.requestCount > 1) return null
  // Invalid UTF-8 takes more bytes in the kept text than in the body.
  if (bytes > keptBodyBytes) return `256 KiB of ${formatBytes(bytes)}`
  const kept = new Blob([body]).size
  return kept < bytes ? `${formatBytes(kept)} of ${formatBytes(bytes)}` : null
}

/** Where a logged query was cut; `null` for a whole one. */
export const queryCutText = ({ query }: Pick<RequestLog, 'query'>): string | null =>
  query?.endsWith(cutMark) ? `${formatCount(keptQuery)} characters` : null

/** Which part of a request was cut, and where: `body was cut at 256 KiB of 5.2 MB`; `null` for a whole request. */
export function cutRequestText(log: RequestLog): string | null {
  const [body, query] = [cutText(log, 'request'), queryCutText(log)]
  if (body !== null) return `body was cut at ${body}`
  return query === null ? null : `query was cut at ${query}`
}
