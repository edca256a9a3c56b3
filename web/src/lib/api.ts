import type { z } from 'zod'
import { parseJson } from '#schemas/parse-json.ts'
import { ProblemDetails } from '#schemas/problem-details.ts'
import { noteGatewayTime } from './browser/gateway-clock.ts'
import { passwordQuestion } from './question.ts'
import { noteIfSlow, fetchFromGateway } from './reachability.ts'
import { noteOtherAccount } from './session/tab-account.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** `body`: sent as JSON; a file is sent unchanged. */
type Options = { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal }

/** A response that is not the gateway's own, or not OK. `message` is "<status>: <body text>". Source: product.md 8.2. */
export class ApiError extends Error {
  readonly status: number
  /** The response's problem details, when it carried any. */
  readonly problem: ProblemDetails | null

  constructor(status: number, text: string) {
    super(`${status}: ${text}`)
    this.name = 'ApiError'
    this.status = status
    this.problem = ProblemDetails.safeParse(parseJson(text)).data ?? null
  }
}

const toBody = (body: unknown) =>
  body instanceof Blob
    ? { body, headers: { 'Content-Type': body.type } }
    : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }

/**
 * Sends a call with the session's cookies; resolves to an OK response or rejects with `ApiError`. A call that needs the
 * password confirmed waits for that and is sent again.
 */
export async function send(method: Method, path: string, options: Options = {}): Promise<Response> {
  try {
    return await sendOnce(method, path, options)
  } catch (error) {
    if (!needsPassword(error) || !(await passwordQuestion.ask())) throw error
    return sendOnce(method, path, options)
  }
}

/** The problem details of a failed call, when its response carried any. */
export const problemOf = (error: unknown) => (error instanceof ApiError ? error.problem : null)

export const needsPassword = (error: unknown) => problemOf(error)?.code === 'confirm_password'

/** A server in front may respond with its own sign-in or maintenance page, whatever the call, and call it a success. */
const isPage = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/html') === true

async function sendOnce(method: Method, path: string, { body, headers, signal }: Options): Promise<Response> {
  const call = fetchFromGateway(path, {
    method,
    credentials: 'include',
    // The gateway redirects no call, but a server in front may, to a sign-in that only a document can load.
    redirect: 'manual',
    ...(headers && { headers }),
    ...(body !== undefined && toBody(body)),
    ...(signal && { signal }),
  })
  const response = await noteIfSlow(call)
  noteGatewayTime(response)
  if (response.ok && !isPage(response)) return response
  const error = new ApiError(response.status, (await response.text()) || response.statusText)
  if (error.problem?.code === 'other_account') noteOtherAccount()
  throw error
}

/** Sends a call and parses its JSON response with the contract. */
export async function fetchJson<T extends z.ZodType>(
  schema: T,
  method: Method,
  path: string,
  options?: Options,
): Promise<z.output<T>> {
  const response = await send(method, path, options)
  return schema.parse(await response.json())
}

/** Turns a 401 into `null`, for the look-ups of product.md 8.1. */
export async function nullIfUnauthorized<T>(response: Promise<T>): Promise<T | null> {
  try {
    return await response
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}
