import { cutMark, keptQuery, type RequestLog } from '#schemas/request-logs.ts'
import { formatCount } from '#web/lib/text/format.ts'
import { cutText } from './cut-body.ts'

/** Where a logged query was cut; `null` for a whole one. */
export const queryCutText = ({ query }: Pick<RequestLog, 'query'>): string | null =>
  query?.endsWith(cutMark) ? `${formatCount(keptQuery)} characters` : null

/** Which part of a request was cut, and where: `body was cut at 256 KiB of 5.2 MB`; `null` for a whole request. */
export function cutRequestText(log: RequestLog): string | null {
  const [body, query] = [cutText(log, 'request'), queryCutText(log)]
  if (body !== null) return `body was cut at ${body}`
  return query === null ? null : `query was cut at ${query}`
}
