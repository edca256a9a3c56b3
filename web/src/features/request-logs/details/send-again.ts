import type { RequestLog } from '#schemas/request-logs.ts'
import { formatJson } from '#web/lib/text/format.ts'
import { handRequest } from '#web/lib/handed-request.ts'
import { repeatableHeaders } from './curl-command.ts'

/** Passes a logged request to the request tester, in the form of the tester's four fields. */
export function sendToTester({ method, endpoint, requestHeaders, requestBody }: RequestLog) {
  const headers = JSON.stringify(repeatableHeaders(requestHeaders), null, 2)
  handRequest({ method, endpoint, headers, body: formatJson(requestBody ?? '') })
}
