import type { IncomingMessage } from 'node:http'
import { kib } from '#core/units.ts'
import { type RequestEvent, unansweredEvent } from '#schemas/request-event.ts'
import { toLoggedHeaders } from './logged-headers.ts'
import type { Account } from '../auth/credential-cache.ts'
import type { RequestBody } from '../request/body.ts'
import type { RequestMetadata } from '../request/metadata.ts'
import type { Target } from '../request/target.ts'

/** How much of a body is kept in the log, where the account wants that. */
export const keptBodyBytes = 256 * kib

export interface ReceivedRequest {
  id: string
  request: IncomingMessage
  clientAddress: string | undefined
  account: Account
  target: Target
  body: RequestBody
  metadata: RequestMetadata
}

/** The event that is true if nothing more is ever heard of the request. */
export function firstEvent({
  id,
  request,
  clientAddress,
  account,
  target,
  body,
  metadata,
}: ReceivedRequest): RequestEvent {
  const { headers } = request
  const keptBody =
    account.logBodies && body && 'bytes' in body && isReadable(headers['content-type']) ? body.bytes : undefined
  return {
    ...unansweredEvent,
    version: 1,
    id,
    accountId: account.accountId,
    tokenId: account.tokenId,
    apiKeyId: null,
    method: request.method ?? '',
    endpoint: target.endpoint,
    model: metadata.model,
    attemptLog: [],
    streamed: metadata.isStream,
    requestBytes: body?.length ?? 0,
    clientAddress: account.logClientAddress ? (clientAddress ?? null) : null,
    userAgent: headers['user-agent'] ?? null,
    requestHeaders: toLoggedHeaders(headers, account.logClientAddress),
    responseHeaders: {},
    requestBody: keptBody ? keptBody.toString('utf8', 0, keptBodyBytes) : null,
  }
}

/** Whether a body of this type is text that a person can read in the log. */
export const isReadable = (contentType: string | undefined): boolean =>
  /^text\/|json|xml|x-www-form-urlencoded/i.test(contentType ?? '')
