import cluster from 'node:cluster'
import { format } from 'node:util'
import { type Config, configWarnings, readConfigOrExit } from '#core/config.ts'
import { Lifecycle } from '#core/process/lifecycle.ts'
import { createLogger } from '#core/logger.ts'
import { createMetrics, readMetrics, serveMetrics } from '#core/metrics.ts'
import type { Metrics } from '#core/metrics-text.ts'
import { ProcessGroup } from '#core/process/process-group.ts'
import { divideLimits } from '#core/limits/resource-limits.ts'
import { second } from '#core/units.ts'

const config = readConfigOrExit()
const logger = createLogger(config)
for (const warning of configWarnings()) logger.warn(warning)
const lifecycle = new Lifecycle(logger)
const metrics = createMetrics()

// Experimental features concern developers, not operators.
process.removeAllListeners('warning')
process.on('warning', (warning) => {
  logger[warning.name === 'ExperimentalWarning' ? 'debug' : 'warn']({ err: warning }, 'warning from Node')
})

// Packages print such texts, as BullMQ does, which would not be JSON.
console.warn = (...printed: unknown[]) => logger.warn(format(...printed))

// One unhandled error must not end all requests of the process.
process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled error'))

// Node prints it as text and ends the process; this is the line that collectors of logs read.
process.on('uncaughtExceptionMonitor', (error) => logger.fatal({ err: error }, 'uncaught exception'))

// Switches the debug log of a running process: the first signal turns it on, the next one off.
process.on('SIGUSR2', () => {
  logger.level = logger.level === 'debug' ? config.logLevel : 'debug'
  logger.warn({ logLevel: logger.level }, 'the log level was changed')
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGUSR2')
})

// A second signal ends the process at once. A member of a group gets a second one if systemd signals all processes.
const listen = cluster.isWorker ? 'on' : 'once'
for (const signal of ['SIGTERM', 'SIGINT'] as const) process[listen](signal, () => void stop(0))

try {
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

async function runGroup(): Promise<void> {
  const { proxyProcesses: size, host, port, drainDelayMs, drainMs } = config
  const group = new ProcessGroup({ size, address: { host, port }, metrics, logger })
  await addMetricsServer(() => group.readMetrics())
  lifecycle.onStop('processes', () => group.stop(drainDelayMs), drainDelayMs + drainMs + 60 * second)
  await group.start()
  logger.info({ host, port, processes: size }, 'listening')
  await group.failed
}

async function runProcess(): Promise<void> {
  if (!cluster.isWorker) await addMetricsServer(() => readMetrics(metrics))
  const { runRoles } = await import('./roles.ts')
  await runRoles(cluster.isWorker ? memberConfig(config) : config, { lifecycle, logger, metrics })
}

/** Started first and thus stopped last, so that the metrics include what a stop cuts off. */
async function addMetricsServer(read: () => Promise<Metrics>): Promise<void> {
  const { host, metricsPort } = config
  if (metricsPort) lifecycle.onStop('metrics', await serveMetrics(read, { host, port: metricsPort }))
}

/** The configuration of one process of the group, with its share of the limits. */
function memberConfig(all: Config): Config {
  const resourceLimits = divideLimits(all.resourceLimits, all.proxyProcesses)
  return { ...all, resourceLimits, spoolMaxBytes: Math.floor(all.spoolMaxBytes / all.proxyProcesses) }
}
