import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { createClientAddressOf } from '#core/client-address.ts'
import type { Logger } from '#core/logger.ts'
import { createPlanLimits } from '#core/plan-limits.ts'
import { openStateRedis } from '#core/resources.ts'
import { mintToken } from '#core/secure-token.ts'
import { createSessionTokens } from '#core/session-token.ts'
import { mib, minute } from '#core/units.ts'
import { createVault, type Vault } from '#core/vault.ts'
import { apiKeyContext } from '#store/api-keys.ts'
import type { Principal } from '#store/principals.ts'
import { AnswerCache } from '../answer-cache.ts'
import { createAuthenticate } from '../authenticate.ts'
import { KeyHealth } from '../key-health.ts'
import { Limiter } from '../limits/limiter.ts'
import { createRequestMetrics } from '../observer.ts'
import { proxyPlugin } from '../plugin.ts'
import { PrincipalCache } from '../principal-cache.ts'
import { Spool } from '../spool/spool.ts'
import { StoreRest } from '../store-rest.ts'
import { UpstreamPools } from '../upstream-pools.ts'

interface Surroundings {
  providerOrigin: string
  redisUrl: string
  logger: Logger
  /** Takes what has to be closed. */
  parts: AsyncDisposableStack
}

/**
 * A gateway of the same code as the real one, and with nothing else in common: its account, its token and its metrics
 * are its own, its journal is thrown away.
 * @returns what lets in the only one whom it knows
 */
export async function openThrowAwayGateway(
  app: FastifyInstance,
  { providerOrigin, redisUrl, logger, parts }: Surroundings,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-warm-up-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const recorder = new Spool(folder, { maxBytes: 64 * mib })
  parts.defer(() => void recorder.next({ force: true }))
  const redis = openStateRedis({ redisStateUrl: redisUrl }, minute)
  redis.on('error', () => undefined)
  parts.defer(() => redis.disconnect())
  await once(redis, 'ready')
  const pools = new UpstreamPools({ isAllowed: () => true, egressProxyUrl: undefined })
  parts.defer(() => pools.close())

  const token = mintToken()
  const vault = createVault(new Map([[1, randomBytes(32)]]))
  const principal = principalOf(providerOrigin, vault)
  const store = { findByTokenHash: async () => principal, findBySessionHash: async () => undefined }
  const health = new KeyHealth(() => undefined)
  const observer = createRequestMetrics(new Registry(), health)
  const rest = new StoreRest()
  await app.register(proxyPlugin, {
    clientAddressOf: createClientAddressOf([]),
    authenticate: createAuthenticate(
      new PrincipalCache(store, vault),
      createSessionTokens({ secret: mintToken(), secure: false }),
    ),
    pools,
    recorder,
    limiter: new Limiter({ redis, rest, limitsOf: createPlanLimits({}), observer }),
    health,
    cache: new AnswerCache(redis, rest),
    logger,
    maxBodyBytes: mib,
    observer,
  })
  return token
}

function principalOf(origin: string, vault: Vault): Principal {
  const [accountId, keyId] = [randomUUID(), randomUUID()]
  const sealedKey = vault.seal(`sk-${randomUUID()}`, apiKeyContext(accountId, keyId, origin)).toString('hex')
  return {
    accountId,
    tokenId: randomUUID(),
    isActive: true,
    expiresAt: null,
    plan: 'pro',
    baseUrl: origin,
    timeout: minute,
    retryAttempts: 0,
    rateLimitEnabled: true,
    maxRequestsPerMinute: 1_000_000,
    logBodies: false,
    logClientAddress: true,
    cacheSeconds: 0,
    streamUsage: true,
    models: null,
    monthlyBudgetNanoUsd: null,
    allowedAddresses: null,
    keys: [{ id: keyId, origin, sealedKey }],
  }
}
