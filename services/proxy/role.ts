import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import type { Tracer } from '@opentelemetry/api'
import { Counter } from 'prom-client'
import { createClientAddressOf } from '#shared/client-address.ts'
import type { Config } from '#core/config.ts'
import { onInvalidation } from '#shared/invalidation.ts'
import { CredentialWatch } from '#shared/credential-watch.ts'
import { createKnownHosts } from '#core/http/known-hosts.ts'
import { addGauge } from '#core/metrics.ts'
import type { ProcessParts } from '#core/process/process-parts.ts'
import { product } from '#schemas/product.ts'
import { createPlanLimits } from '#shared/plan-limits.ts'
import type { ProcessLimits } from '#core/limits/process-limits.ts'
import { NodeCircuitBreakers } from '#core/redis/circuit-breaker.ts'
import type { QueueShards } from '#core/redis/queue-shards.ts'
import type { Redis } from '#core/redis/redis.ts'
import type { Sql } from '#core/stores/postgres.ts'
import { createSessionTokens } from '#shared/session-token.ts'
import { createVault } from '#shared/vault.ts'
import { createCredentialStore } from '#store/postgres/credentials/credentials.ts'
import { createObjectKeyStore } from '#store/redis/object-keys.ts'
import { ResponseCache } from './cache/response-cache.ts'
import { createAuthenticate } from './auth/authenticate.ts'
import { createOutgoingRules } from '#shared/outgoing-rules.ts'
import { FoldedLogs } from './log/folded-logs.ts'
import { Hops } from './request/hops.ts'
import { Limiter } from './admission/limiter.ts'
import { createFailureLog } from './admission/rejection.ts'
import type { RequestServices } from './admission/services.ts'
import { createProxyListener } from './proxy-listener.ts'
import { CredentialCache } from './auth/credential-cache.ts'
import { createRequestMetrics } from './telemetry/metrics.ts'
import { createRealtime } from './realtime/realtime.ts'
import { ObjectKeys } from './keys/object-keys.ts'
import { shareKeyHealth } from './keys/share-key-health.ts'
import { claimFolder } from './spool/folders.ts'
import { addSpoolMetrics } from './spool/metrics.ts'
import { createPublisher } from './spool/publish.ts'
import { createProxyReporter } from './spool/report.ts'
import { SpoolFullError } from './spool/spool-full-error.ts'
import { Shipper } from './spool/shipper.ts'
import { rejectAt, Spool } from './spool/spool.ts'
import { UpstreamPools } from './forward/upstream-pools.ts'

interface ProxyResources {
  sql: Sql
  /** One connection to the state Redis per purpose, so that a slow one does not delay the others. */
  redis: { limiter: Redis; cache: Redis; keyHealth: Redis; subscriber: Redis }
  /** How long a request waits for its limits, ms. */
  limiterPatienceMs?: number
  /** How long logs wait for others to share a batch with, ms. */
  batchAgeMs?: number
  queue: QueueShards
  limits: ProcessLimits
  /** Undefined when tracing is disabled. */
  tracer?: Tracer | undefined
}

/** Adds the data plane, which serves from its caches while its stores are unavailable. @returns a readiness check */
export async function addProxyRole(
  app: FastifyInstance,
  { sql, redis, limiterPatienceMs, batchAgeMs, queue, limits, tracer }: ProxyResources,
  config: Config,
  { lifecycle, logger, metrics }: ProcessParts,
): Promise<{ requireSpool(): Promise<void> }> {
  tuneGarbageCollection()
  const credentials = new CredentialCache(
    createCredentialStore(sql),
    createVault(config.masterKeys, config.lostMasterKeys),
    config.modelPrices,
  )
  const { health, stop } = shareKeyHealth(redis.keyHealth, redis.subscriber)
  lifecycle.onStop('key states', stop)
  const observer = createRequestMetrics(metrics, health, limits.requests)
  const limiter = new Limiter(redis.limiter, createPlanLimits(config.planLimits), observer, limiterPatienceMs)
  lifecycle.onStop('limiter', () => limiter.close())
  const credentialWatch = new CredentialWatch()
  onInvalidation(redis.subscriber, (accountId) => {
    credentials.forget(accountId)
    limiter.forget(accountId)
    credentialWatch.check(accountId)
  })

  const spoolRoot = join(config.dataDir, 'spool')
  const folder = claimFolder(spoolRoot)
  const spool = new Spool(folder.path, { maxBytes: config.spoolMaxBytes, shards: queue.length, maxAgeMs: batchAgeMs })
  addSpoolMetrics(metrics, spool)
  const publisher = createPublisher(queue)
  const { publish } = publisher
  const reporter = createProxyReporter(queue[0], spool, folder.proxyId)
  const shipper = new Shipper({ spool, root: spoolRoot, shards: queue.length, publish, reporter, logger })
  lifecycle.onStop('spool', () => folder.release(!reporter.isGone))
  lifecycle.onStop('queue producer', () => publisher.close())
  lifecycle.onStop('shipper', () => shipper.stop())
  shipper.start()

  const foldedLogs = new FoldedLogs({
    recorder: spool,
    limits: { rejection: config.resourceLimits.rejectionLogs, 'cache-hit': config.resourceLimits.cacheHitLogs },
  })
  lifecycle.onStop('folded logs', () => foldedLogs.close())

  const pools = new UpstreamPools(createOutgoingRules(config, limits.lookups))
  lifecycle.onStop('upstream connections', () => pools.close())
  addGauge(metrics, 'sallyport_proxy_upstream_connections', 'Open connections to providers.', () => pools.connections)

  let isCutting = false
  const cutRequests = new Counter({
    name: 'sallyport_proxy_cut_requests_total',
    help: 'Requests that were cut off because they took longer than the drain time of a stopping process.',
    registers: [metrics],
  })
  const isKnownHost = createKnownHosts(config)
  const sessionTokens = createSessionTokens({ secret: config.sessionSecret, secure: config.secure })
  const clientAddressOf = createClientAddressOf(config.trustedProxies)
  const services: RequestServices = {
    clientAddressOf,
    authenticate: createAuthenticate(credentials, sessionTokens, isKnownHost, clientAddressOf),
    hops: new Hops(config.sessionSecret),
    pools,
    recorder: spool,
    foldedLogs,
    limiter,
    requestLimits: limits,
    health,
    logFailure: createFailureLog(logger),
    observer,
    startTrace: tracer && (await createStartTrace(tracer)),
    isCutting: () => isCutting,
  }
  const cache = new ResponseCache(redis.cache)
  const objects = new ObjectKeys(createObjectKeyStore(redis.keyHealth), new NodeCircuitBreakers(redis.keyHealth))
  const { maxBodyBytes, corsOrigins } = config
  const listener = createProxyListener({ ...services, cache, objects, maxBodyBytes, corsOrigins })
  app.listenUnder(RegExp(`^${product.proxyPath}/v1(?:beta)?/`), listener)
  const realtime = createRealtime({ ...services, credentialWatch })
  app.server.on('upgrade', realtime.onUpgrade)
  lifecycle.onCut(() => {
    isCutting = true
    cutRequests.inc(limits.requests.used)
    realtime.close()
  })
  if (config.apiUrl) {
    // Imported only here, because it brings a WebSocket server and more that no proxied request needs.
    const { addApiFallback } = await import('./api-fallback.ts')
    await addApiFallback(app, config.apiUrl, isKnownHost)
  }
  return {
    async requireSpool() {
      if (spool.fullness >= rejectAt) throw new SpoolFullError()
      // A disk that has no free inodes, or fails, still grants access.
      const probe = join(folder.path, 'probe')
      await writeFile(probe, '1', { mode: 0o600 })
      await rm(probe, { force: true })
    },
  }
}

/** Imports OpenTelemetry, with its 300 modules, only if tracing is enabled. */
async function createStartTrace(tracer: Tracer): Promise<RequestServices['startTrace']> {
  const { RequestTrace } = await import('./log/request-trace.ts')
  return (received) => new RequestTrace(tracer, received)
}

/** Sets flags that `NODE_OPTIONS` does not accept. */
function tuneGarbageCollection(): void {
  // Few objects survive in the young generation, so helper threads cost more than they save.
  setFlagsFromString('--no-parallel-scavenge')
  // By default V8 keeps the old generation so small that it is collected every second under load.
  setFlagsFromString('--heap-growing-percent=50')
}
