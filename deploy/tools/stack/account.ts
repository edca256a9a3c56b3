import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { openSession } from '#tools/launcher/http-session.ts'

const Created = z.object({ id: z.string(), token: z.string() })

export interface TestAccount {
  /** @returns the parsed JSON, or the text of any other response */
  get(path: string): Promise<unknown>
  /** @param limits in the API's format */
  newToken(name: string, limits?: object): Promise<{ id: string; token: string }>
}

// The sample provider reads its settings from the key; these make a stream take a second.
const defaultKey = 'sk-faults.chunks=20.chunk-delay-ms=50'

/** Registers an account with a provider key and without a rate limit. */
export async function openAccount(
  url: string,
  { username, baseUrl, key = defaultKey }: { username: string; baseUrl?: string; key?: string },
): Promise<TestAccount> {
  const call = openSession(url)
  const password = randomBytes(12).toString('hex')
  await call('POST', '/api/register', { username, email: `${username}@example.test`, password })
  const config = z.looseObject({ baseUrl: z.string() }).parse(await call('GET', '/api/proxy/config'))
  await call('POST', '/api/proxy/config', {
    baseUrl: baseUrl ?? config.baseUrl,
    timeout: 30_000,
    retryAttempts: 0,
    rateLimitEnabled: false,
    maxRequestsPerMinute: 1_000,
  })
  await call('POST', '/api/keys', { name: 'provider', key, isPrimary: true })
  return {
    get: (path) => call('GET', path),
    newToken: async (name, limits = {}) => Created.parse(await call('POST', '/api/tokens', { name, ...limits })),
  }
}
