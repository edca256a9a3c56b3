import { hash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { cachedResponsePrefix } from '#store/redis/cached-responses.ts'
import type { Account } from '../auth/account.ts'
import { matchHeaders, isForProvider } from '../request/headers.ts'
import { type Target, upstreamPathOf } from '../request/target.ts'

/**
 * Forwarded headers that can't affect a response: they identify the client or attempt, or serve tracing or transport.
 */
const isWithoutEffect = matchHeaders(
  [
    'accept-encoding',
    'b3',
    'baggage',
    'cache-control',
    'content-length',
    'idempotency-key',
    'pragma',
    'priority',
    'request-id',
    'sentry-trace',
    'traceparent',
    'tracestate',
    'uber-trace-id',
    'user-agent',
    'via',
    'x-amzn-trace-id',
    'x-client-request-id',
    'x-cloud-trace-context',
    'x-correlation-id',
    'x-request-id',
    'x-request-start',
  ],
  ['x-b3-', 'x-datadog-', 'x-stainless-'],
)

/** Responses are never shared between accounts, or between tokens with different model restrictions. */
export function cacheKey(account: Account, request: IncomingMessage, target: Target, body: Buffer): string {
  const { accountId, origin, models } = account
  const headers = keyedHeaders(request.headers)
  const head = JSON.stringify([accountId, models, origin, request.method, upstreamPathOf(account, target), headers])
  return `${cachedResponsePrefix(accountId)}${hash('sha256', `${hash('sha256', head)}${hash('sha256', body)}`)}`
}

/** @returns name, value, name, value …, in the order of the names */
export function keyedHeaders(headers: IncomingHttpHeaders): unknown[] {
  const names = Object.keys(headers).filter((name) => isForProvider(name) && !isWithoutEffect(name))
  return names.toSorted().flatMap((name) => [name, headers[name]])
}

/** Whether the key covers everything that a response depends on. @param vary the provider's header */
export function isCoveredByKey(vary: string): boolean {
  const names = vary.toLowerCase().split(',')
  return names.every((name) => name.trim() !== '*' && !(isWithoutEffect(name.trim()) && isForProvider(name.trim())))
}
