import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'
import { RestartBackoff } from './backoff.ts'
import type { Logger } from './logger.ts'
import { ProcessChannel } from './process-channel.ts'
import { mergeNeeds, type Needs, type Readiness } from './readiness.ts'
import { second } from './units.ts'

const answerWithinMs = 3 * second

/** A member that ended so often in a row without having listened will not start the next time either. */
const mostFailedStarts = 5

/** Questions between the processes of a group. */
const question = { metrics: 'metrics', needs: 'needs', groupNeeds: 'group-needs' } as const

type MetricJson = MetricObjectWithValues<MetricValue<string>>

interface Member {
  worker: Worker
  channel: ProcessChannel
}

interface ProcessGroupOptions {
  size: number
  /** Of this process. */
  metrics: Registry
  logger: Logger
}

/**
 * Several processes on one port. The members do the work; this process gives each new connection to the next of them,
 * starts those that die again, and speaks for all.
 */
export class ProcessGroup {
  readonly #options: ProcessGroupOptions
  readonly #members = new Map<number, Member>()
  readonly #runs: Promise<void>[] = []
  readonly #stopping = new AbortController()
  readonly #failed = Promise.withResolvers<never>()

  constructor(options: ProcessGroupOptions) {
    this.#options = options
    this.#failed.promise.catch(() => undefined)
  }

  /** Rejects when a member can't be started; never resolves. */
  get failed(): Promise<never> {
    return this.#failed.promise
  }

  start(): void {
    for (let index = 1; index <= this.#options.size; index += 1) this.#runs.push(this.#keepAlive(index))
  }

  /** Asks all members to stop, and waits until they have. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const { worker } of this.#members.values()) worker.process.kill('SIGTERM')
    await Promise.all(this.#runs)
  }

  /** The metrics of all processes, each value labelled with the process that it is of; in the text format. */
  async readMetrics(): Promise<string> {
    const own = labelled(await this.#options.metrics.getMetricsAsJSON(), 'primary')
    const answers = await Promise.all(
      [...this.#members].map(async ([index, { channel }]) => {
        const metrics = await channel.ask(question.metrics, answerWithinMs)
        return Array.isArray(metrics) ? labelled(metrics as MetricJson[], String(index)) : []
      }),
    )
    return AggregatorRegistry.aggregate([own, ...answers]).metrics()
  }

  /** What the members need; of a group without any member nothing can be said. */
  async #readNeeds(): Promise<Needs> {
    const answers = await Promise.all(
      [...this.#members.values()].map(({ channel }) => channel.ask(question.needs, answerWithinMs)),
    )
    const needs = answers.map((answer) => (answer as Needs | undefined) ?? { process: 'unavailable' as const })
    return mergeNeeds(needs)
  }

  async #keepAlive(index: number): Promise<void> {
    const { signal } = this.#stopping
    const { logger } = this.#options
    const backoff = new RestartBackoff()
    for (let failedStarts = 0; !signal.aborted;) {
      const startedAt = performance.now()
      const worker = cluster.fork()
      const channel = new ProcessChannel(worker, { [question.groupNeeds]: () => this.#readNeeds() })
      this.#members.set(index, { worker, channel })
      let hasListened = false
      worker.once('listening', () => (hasListened = true))
      const [code, exitSignal] = await once(worker, 'exit')
      this.#members.delete(index)
      if (signal.aborted) return
      failedStarts = hasListened ? 0 : failedStarts + 1
      logger.error({ process: index, code, signal: exitSignal }, 'a process of the group ended; it is started again')
      if (failedStarts === mostFailedStarts) {
        this.#failed.reject(new Error(`process ${index} of the group does not start`))
        return
      }
      await sleep(backoff.nextPauseMs(performance.now() - startedAt), undefined, { signal }).catch(() => undefined)
    }
  }
}

/** A process of a group, as the members themselves see it. */
export interface GroupMembership {
  /** What any process of the group needs. */
  groupNeeds(): Promise<Needs>
}

/** Joins the group of the process that forked this one. */
export function joinProcessGroup(metrics: Registry, readiness: Readiness): GroupMembership {
  const channel = new ProcessChannel(process, {
    [question.metrics]: () => metrics.getMetricsAsJSON(),
    [question.needs]: () => readiness.needs(),
  })
  return {
    async groupNeeds() {
      const needs = await channel.ask(question.groupNeeds, answerWithinMs)
      return (needs as Needs | undefined) ?? { group: 'unavailable' }
    },
  }
}

function labelled(metrics: MetricJson[], name: string): MetricJson[] {
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process: name } })),
  }))
}
