import type { RequestLog } from '#schemas/request-logs.ts'
import { formatJson } from '#web/lib/text/format.ts'
import { handRequest } from '#web/lib/handed-request.ts'
import { repeatableHeaders } from './curl-command.ts'

/** Hands a logged request to the request tester. Its texts are those of the tester's four fields. */
export function handToTester({ method, endpoint, requestHeaders, requestBody }: RequestLog) {
  const headers = JSON.stringify(repeatableHeaders(requestHeaders), null, 2)
  const request = { method, endpoint, headers, body: formatJson(requestBody ?? '') }
  handRequest(request)
}
