import { z } from 'zod'
import { CredentialHeader } from './credential-header.ts'
import { isHttpUrl } from './http-url.ts'
import { wholeNumber } from './numbers.ts'
import { provider } from './product.ts'

const timeoutMessage = 'Timeout must be between 1 and 300 seconds'
const retryMessage = 'Retry attempts must be between 0 and 10'
const rateMessage = 'Maximum requests per minute must be between 1 and 1000'
const cacheMessage = 'Cache time must be between 0 and 86400 seconds'
const baseUrlMessage = 'Base URL is required'

/** Source: product.md 3.7. */
const Distribution = z.enum(['primary-first', 'spread']).describe('Which active key is tried first.')

const settings = {
  timeout: wholeNumber(1_000, 300_000, timeoutMessage).describe(
    'Longest wait for the first response byte, and longest gap after it, ms.',
  ),
  retryAttempts: wholeNumber(0, 10, retryMessage).describe('Attempts after the first one.'),
  rateLimitEnabled: z.boolean().describe('Whether `maxRequestsPerMinute` applies.'),
  maxRequestsPerMinute: wholeNumber(1, 1_000, rateMessage),
  /** Source: product.md 7.3. */
  logBodies: z.boolean().describe('Keep request and response bodies in the log.'),
  logClientAddress: z.boolean().describe("Keep the client's address in the log."),
  logTags: z.boolean().describe('Whether tags of requests are logged.'),
  cacheSeconds: wholeNumber(0, 86_400, cacheMessage).describe(
    'How long responses to identical requests are cached, seconds; 0: no cache.',
  ),
  streamUsage: z.boolean().describe('Ask the provider to report tokens at the end of a stream.'),
  credentialHeader: CredentialHeader.describe('The header in which the provider expects its key.'),
  distribution: Distribution,
}

/** How the gateway treats an account's requests. Source: product.md 5.13. */
export const ProxyConfig = z.object({
  baseUrl: z.string().default(provider.baseUrl),
  timeout: settings.timeout.default(30_000),
  retryAttempts: settings.retryAttempts.default(3),
  rateLimitEnabled: settings.rateLimitEnabled.default(true),
  maxRequestsPerMinute: settings.maxRequestsPerMinute.default(60),
  logBodies: settings.logBodies.default(false),
  logClientAddress: settings.logClientAddress.default(true),
  logTags: settings.logTags.default(true),
  cacheSeconds: settings.cacheSeconds.default(0),
  streamUsage: settings.streamUsage.default(true),
  credentialHeader: settings.credentialHeader.default('authorization'),
  distribution: settings.distribution.default('primary-first'),
})
export type ProxyConfig = z.infer<typeof ProxyConfig>

const isBaseUrl = (text: string) => !text.includes('?') && isHttpUrl(text)

/** Canonical host, no trailing slash. */
const normalizeBaseUrl = (text: string) => {
  if (!isBaseUrl(text)) return text
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/+$/, '')
}

/** Omitted fields keep their values. */
export const SaveProxyConfig = z
  .object(settings)
  .partial()
  .extend({
    baseUrl: z
      .string(baseUrlMessage)
      .trim()
      .min(1, { message: baseUrlMessage, abort: true })
      .max(2_048, { message: 'Base URL must be at most 2048 characters', abort: true })
      .refine(isBaseUrl, 'Base URL must be an http or https address without credentials, query or fragment')
      .overwrite(normalizeBaseUrl),
    currentPassword: z.string().max(1_024).optional().describe('Confirms a new origin while keys are stored.'),
  })
export type SaveProxyConfig = z.infer<typeof SaveProxyConfig>

/** Result of a request to the provider with the primary key. Source: product.md 5.14. */
export const ProxyTestResult = z.object({ success: z.boolean(), message: z.string() })
export type ProxyTestResult = z.infer<typeof ProxyTestResult>
