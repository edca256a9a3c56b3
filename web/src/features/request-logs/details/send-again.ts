import type { RequestLog } from '#schemas/request-logs.ts'
import { formatJson } from '#web/lib/text/format.ts'
import { handRequest } from '#web/lib/browser/handed-request.ts'
import { repeatableHeaders, repeatablePath } from './curl-command.ts'

/** Passes a logged request to the request tester, in the form of the tester's four fields. */
export function sendToTester(log: RequestLog) {
  const { method, requestHeaders, requestBody } = log
  const headers = JSON.stringify(repeatableHeaders(requestHeaders), null, 2)
  handRequest({ method, endpoint: repeatablePath(log), headers, body: formatJson(requestBody ?? '') })
}
