import { codeOf } from '#core/errors.ts'
import { LimitExceededError } from '#core/limits/shared-limit.ts'
import { second } from '#core/units.ts'
import { credentialValue } from '#schemas/credential-header.ts'
import type { ProxyConfig, ProxyTestResult } from '#schemas/proxy-config.ts'
import { toUpstreamUrl } from '#schemas/upstream-url.ts'
import { ForbiddenAddressError } from '#shared/address-guard.ts'
import { createGuardedClient } from '#shared/guarded-client.ts'
import type { OutgoingRules } from '#shared/outgoing-rules.ts'

/** Description, in the OpenAPI document, of routes that return a test result. */
export const failedTestText =
  'If the test fails, the response is a 200 with `success: false` and the reason as `message`.'

export type ProviderCheck = ReturnType<typeof createProviderCheck>

export function createProviderCheck(rules: OutgoingRules) {
  const client = createGuardedClient(rules)
  return {
    /** Requests the provider's models and describes the outcome. Never throws, and does not follow redirects. */
    async ask(
      accountId: string,
      { baseUrl, credentialHeader }: ProxyConfig,
      key: string,
      timeoutMs: number,
    ): Promise<ProxyTestResult> {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const { status, headers } = await client.request(accountId, toUpstreamUrl(baseUrl, '/models'), {
          headers: {
            [credentialHeader]: credentialValue(credentialHeader, key),
            accept: 'application/json',
            ...(credentialHeader === 'x-api-key' && { 'anthropic-version': '2023-06-01' }),
          },
          signal,
        })
        return toResult(status, String(headers['content-type'] ?? ''))
      } catch (error) {
        const message = signal.aborted
          ? `The provider did not respond within ${timeoutMs / second} s.`
          : describeFailure(error, new URL(baseUrl).hostname)
        return { success: false, message }
      }
    },
  }
}

function toResult(status: number, contentType: string): ProxyTestResult {
  if (status < 300 && contentType.includes('json')) {
    return { success: true, message: 'The provider was reached and accepted the API key.' }
  }
  return { success: false, message: `${describeStatus(status)} (status ${status}).` }
}

function describeStatus(status: number): string {
  if (status < 300) return 'Something responded at the base URL, but not like a provider API'
  if (status < 400) return 'The base URL redirects elsewhere, which the proxy does not follow'
  if (status === 401 || status === 403) return 'The provider was reached, but rejected the API key'
  if (status === 404) return 'The provider was reached, but has no list of models at this base URL'
  if (status === 429) return 'The provider was reached, but limits this API key right now'
  if (status >= 500) return 'The provider was reached, but has a problem of its own'
  return 'The provider was reached, but did not accept the request'
}

const unresolved = new Set(['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT'])

function describeFailure(error: unknown, hostname: string): string {
  if (error instanceof ForbiddenAddressError) return 'The base URL leads to a private or reserved address.'
  if (error instanceof LimitExceededError) return 'Too many names are being resolved right now. Try again in a moment.'
  const code = codeOf(error) ?? ''
  if (unresolved.has(code)) return `The name ${hostname} could not be resolved.`
  if (code === 'ECONNREFUSED') return `${hostname} refused the connection.`
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return `No secure connection to ${hostname} (${code}).`
  return `The provider at ${hostname} could not be reached.`
}
