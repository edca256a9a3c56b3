import { ApiError } from '../api.ts'
import { isFailedScript } from '../failed-script.ts'

/** Source: product.md 8.2. */
export const isUnauthorizedText = (text: string) => text.startsWith('401: ') && text.includes('Unauthorized')

export const isUnauthorized = (error: unknown) => error instanceof Error && isUnauthorizedText(error.message)

/** The text for the user: the problem's detail if there is one, else what went wrong and what to do. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.problem?.detail ?? textOfResponse(error)
  if (error instanceof TypeError && !isFailedScript(error)) {
    return 'The gateway can’t be reached. Check the connection and try again.'
  }
  if (error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError')) {
    return 'The gateway responded in a form that this page does not know. Reload the page.'
  }
  return error instanceof Error && error.message ? error.message : 'Unknown error occurred'
}

/** Longest text of a response that is shown, in characters. */
const longestText = 200

/** For a response without problem details, which may come from a server in front of the gateway. */
function textOfResponse({ status, message }: ApiError): string {
  // Browsers hide a redirect and its status.
  if (status === 0) return `A server in front of the gateway leads to a page of its own. ${remedyOf(status)}`
  if (/^\d+:\s*</.test(message)) {
    return `${status}: A server in front of the gateway responded with a page of its own. ${remedyOf(status)}`
  }
  if (/^\d+:\s*$/.test(message)) return `${status}: The response has no text. ${remedyOf(status)}`
  return message.length > longestText ? `${message.slice(0, longestText)}…` : message
}

function remedyOf(status: number): string {
  if (status === 413) return 'Send less at once.'
  // Shows that server's sign-in.
  return status < 400 || status === 401 || status === 403 ? 'Reload this page.' : 'Try again in a moment.'
}
