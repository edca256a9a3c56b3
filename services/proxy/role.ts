import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { createClientAddressOf } from '#core/client-address.ts'
import type { Config } from '#core/config.ts'
import { onInvalidation } from '#core/invalidation.ts'
import type { Lifecycle } from '#core/lifecycle.ts'
import type { Logger } from '#core/logger.ts'
import { createPlanLimits } from '#core/plan-limits.ts'
import type { QueueShards } from '#core/queue-shards.ts'
import type { Redis, Sql } from '#core/resources.ts'
import { createSessionTokens } from '#core/session-token.ts'
import { createVault } from '#core/vault.ts'
import { createPrincipalStore } from '#store/principals.ts'
import { AnswerCache } from './answer-cache.ts'
import { createAuthenticate } from './authenticate.ts'
import { createAddressGuard } from '#core/address-guard.ts'
import { tuneGarbageCollection } from './garbage-collection.ts'
import { addHandOver } from './hand-over.ts'
import type { KeyHealth } from './key-health.ts'
import { Limiter } from './limits/limiter.ts'
import { proxyPlugin } from './plugin.ts'
import { PrincipalCache } from './principal-cache.ts'
import { createRequestMetrics, type RequestObserver } from './observer.ts'
import { createRealtime, type RealtimeOptions } from './realtime.ts'
import { createSharedKeyHealth } from './shared-key-health.ts'
import { claimFolder } from './spool/folders.ts'
import { addSpoolMetrics } from './spool/metrics.ts'
import { createPublisher } from './spool/publish.ts'
import { createProxyReporter } from './spool/report.ts'
import { Shipper } from './spool/shipper.ts'
import { Spool } from './spool/spool.ts'
import { StoreRest } from './store-rest.ts'
import { UpstreamPools } from './upstream-pools.ts'

export interface ProxyResources {
  sql: Sql
  state: Redis
  stateSubscriber: Redis
  queue: QueueShards
}

/** The data plane on this server. Nothing here waits for a store to be up: it starts, and says what is missing. */
export async function addProxyRole(
  app: FastifyInstance,
  { sql, state, stateSubscriber, queue }: ProxyResources,
  config: Config,
  lifecycle: Lifecycle,
  logger: Logger,
  metrics: Registry,
): Promise<void> {
  tuneGarbageCollection()
  const principals = new PrincipalCache(createPrincipalStore(sql), createVault(config.masterKeys))
  const health = createSharedKeyHealth(state, stateSubscriber)
  const observer = await observe(metrics, health, config, lifecycle)
  const rest = new StoreRest()
  const limiter = new Limiter({ redis: state, rest, limitsOf: createPlanLimits(config.planLimits), observer })
  lifecycle.onStop('limiter', () => limiter.close())
  void onInvalidation(stateSubscriber, (accountId) => {
    principals.forget(accountId)
    limiter.forget(accountId)
  })

  const spoolRoot = join(config.dataDir, 'spool')
  const folder = claimFolder(spoolRoot)
  const spool = new Spool(folder.path, { maxBytes: config.spoolMaxBytes, shards: queue.length })
  addSpoolMetrics(metrics, spool)
  const publisher = createPublisher(queue)
  const reporter = createProxyReporter(queue[0], spool, folder.proxyId)
  const shipper = new Shipper({
    spool,
    root: spoolRoot,
    shards: queue.length,
    publish: publisher.publish,
    reporter,
    logger,
  })
  lifecycle.onStop('spool', () => folder.release())
  lifecycle.onStop('queue producer', () => publisher.close())
  lifecycle.onStop('shipper', () => shipper.stop())
  shipper.start()

  const pools = new UpstreamPools({
    isAllowed: createAddressGuard(config.upstreamAllowCidrs),
    egressProxyUrl: config.upstreamProxyUrl,
  })
  lifecycle.onStop('upstream connections', () => pools.close())

  const sessionTokens = createSessionTokens({ secret: config.sessionSecret, secure: config.secure })
  const options: RealtimeOptions = {
    clientAddressOf: createClientAddressOf(config.trustedProxies),
    principals,
    authenticate: createAuthenticate(principals, sessionTokens),
    pools,
    recorder: spool,
    limiter,
    health,
    cache: new AnswerCache(state, rest),
    logger,
    maxBodyBytes: config.maxBodyBytes,
    observer,
  }
  await app.register(proxyPlugin, options)
  const realtime = createRealtime(options)
  app.server.on('upgrade', realtime.onUpgrade)
  // An open WebSocket would keep the server from closing.
  app.addHook('preClose', async () => realtime.close())
  if (config.apiUrl) await addHandOver(app, config.apiUrl)
}

/** Metrics always, traces where an operator has a collector for them: elsewhere their 300 modules are not loaded. */
async function observe(
  metrics: Registry,
  health: KeyHealth,
  { otlpEndpoint }: Config,
  lifecycle: Lifecycle,
): Promise<RequestObserver> {
  const counted = createRequestMetrics(metrics, health)
  if (!otlpEndpoint) return counted
  const { createRequestTracer } = await import('./tracing.ts')
  const tracer = createRequestTracer(otlpEndpoint)
  lifecycle.onStop('traces', () => tracer.close())
  return {
    ...counted,
    finished(event) {
      counted.finished(event)
      tracer.trace(event)
    },
  }
}
