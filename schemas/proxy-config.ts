import { z } from 'zod'
import { provider } from './product.ts'

const timeoutMessage = 'Timeout must be between 1 and 300 seconds'

/** How the gateway treats an account's requests. Source: specification §3, §5 and §9, "Config". */
export const ProxyConfig = z.object({
  baseUrl: z.string('Base URL is required').trim().min(1, 'Base URL is required').default(provider.baseUrl),
  /** Longest wait for the first response byte and longest silence after it, ms. */
  timeout: z.number().int().min(1_000, timeoutMessage).max(300_000, timeoutMessage).default(30_000),
  /** Tries after the first one. */
  retryAttempts: z.number().int().min(0).max(10).default(3),
  rateLimitEnabled: z.boolean().default(true),
  maxRequestsPerMinute: z.number().int().min(1).max(1_000).default(60),
  /** Keep request and response bodies in the log. Source: decisions.md, "Privacy, keys, tokens". */
  logBodies: z.boolean().default(false),
  /** Keep the client's address in the log. */
  logClientAddress: z.boolean().default(true),
})
export type ProxyConfig = z.infer<typeof ProxyConfig>
