import cluster from 'node:cluster'
import { type Config, readConfig } from '#core/config.ts'
import { Lifecycle } from '#core/process/lifecycle.ts'
import { createLogger } from '#core/logger.ts'
import { createMetrics, serveMetrics } from '#core/metrics.ts'
import { ProcessGroup } from '#core/process/process-group.ts'
import { divideLimits } from '#core/limits/resource-limits.ts'
import { second } from '#core/units.ts'

const config = readConfig()
const logger = createLogger(config)
const lifecycle = new Lifecycle(logger)
const metrics = createMetrics()

/** Node's own warnings are lines of the log like all others; of what is experimental a developer decides, not an operator. */
process.removeAllListeners('warning')
process.on('warning', (warning) => {
  logger[warning.name === 'ExperimentalWarning' ? 'debug' : 'warn']({ err: warning }, 'a warning of Node')
})

/** A part that forgot to handle an error of its own must not take the requests of others with it. */
process.on('unhandledRejection', (error) => logger.error({ err: error }, 'an error was not handled'))

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(0))

try {
  if (config.proxyProcesses > 1 && config.roles.some((role) => role !== 'proxy')) {
    throw new Error('PROXY_PROCESSES: several processes need ROLES=proxy, because the other roles run once')
  }
  if (cluster.isPrimary && config.proxyProcesses > 1) await runGroup()
  else await runProcess()
} catch (error) {
  logger.fatal({ err: error }, 'could not start')
  await stop(1)
}

async function stop(exitCode: number): Promise<never> {
  await lifecycle.stop()
  process.exit(exitCode)
}

/** Several processes of this program on one port; this one only looks after them. */
async function runGroup(): Promise<void> {
  const { proxyProcesses: size, host, port, drainDelayMs, drainMs } = config
  const group = new ProcessGroup({ size, address: { host, port }, metrics, logger })
  await addMetricsServer(() => group.readMetrics())
  lifecycle.onStop('processes', () => group.stop(drainDelayMs), drainDelayMs + drainMs + 60 * second)
  await group.start()
  logger.info({ host, port, processes: size }, 'listening')
  await group.failed
}

/** The roles of this process, with their part of what the group has. Alone it also serves its metrics. */
async function runProcess(): Promise<void> {
  if (!cluster.isWorker) await addMetricsServer(() => metrics.metrics())
  const { runRoles } = await import('./roles.ts')
  await runRoles(cluster.isWorker ? shareOfGroup(config) : config, { lifecycle, logger, metrics })
}

/** The metrics are there to the end of a stop, so that what it cuts off is told. */
async function addMetricsServer(read: () => Promise<string>): Promise<void> {
  const { host, metricsPort } = config
  if (metricsPort) lifecycle.onStop('metrics', await serveMetrics(read, { host, port: metricsPort }))
}

/** What one process of the group may use of what is configured for all of them. */
function shareOfGroup({ proxyProcesses, ...all }: Config): Config {
  return {
    ...all,
    proxyProcesses,
    resourceLimits: divideLimits(all.resourceLimits, proxyProcesses),
    spoolMaxBytes: Math.floor(all.spoolMaxBytes / proxyProcesses),
  }
}
