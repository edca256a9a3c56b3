import { curlText } from '#web/lib/text/curl-text.ts'
import { requestPath, sentBody, sentHeaders, type TesterRequest } from './tester-request.ts'

/**
 * The request as a command for a POSIX shell, with a placeholder token because a shell has no session.
 * @throws as `sentHeaders` and `requestPath` do
 */
export function curlCommand(request: TesterRequest, origin: string): string {
  const headers = sentHeaders(request)
  const hasAuthorization = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  const sent = hasAuthorization ? headers : { Authorization: 'Bearer st_your_token', ...headers }
  const url = origin + requestPath(request.endpoint)
  return curlText({ method: request.method, url, headers: sent, body: sentBody(request) })
}
