import type { RequestLog } from '#schemas/request-logs.ts'
import { formatJson } from '#web/lib/format.ts'
import { repeatableHeaders } from './curl-command.ts'

/** Where the request tester of the Dashboard looks for a request to start with. */
const testerKey = 'sallyport.tester.request'

/** Hands a logged request to the request tester. Its texts are those of the tester's four fields. */
export function handToTester({ method, endpoint, requestHeaders, requestBody }: RequestLog) {
  const headers = JSON.stringify(repeatableHeaders(requestHeaders), null, 2)
  const request = { method, endpoint, headers, body: formatJson(requestBody ?? '') }
  sessionStorage.setItem(testerKey, JSON.stringify(request))
  // The tester may be on the screen already.
  window.dispatchEvent(new Event(testerKey))
}
