import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'
import { RestartBackoff } from '#core/backoff.ts'
import { groupNotes, groupQuestions } from './group-member.ts'
import type { Logger } from '#core/logger.ts'
import { ProcessChannel } from './process-channel.ts'
import { mergeNeeds, Needs } from './readiness.ts'
import { second } from '#core/units.ts'

const answerWithinMs = 3 * second

/** A member that ended so often in a row without having joined will not start the next time either. */
const mostFailedStarts = 5

/** Connections that wait while no member takes any. */
const mostWaiting = 4_000

/** Connections on their way to a member that has not taken them yet: more would wait for one that hangs. */
const mostInTransit = 32

type MetricJson = MetricObjectWithValues<MetricValue<string>>

interface ProcessGroupOptions {
  size: number
  address: { host: string; port: number }
  /** Of this process. */
  metrics: Registry
  logger: Logger
}

/**
 * Several processes on one port. This one accepts connections and hands each to the member with the fewest; it starts
 * members that die again, and speaks for all. Node's own cluster module would forget a connection that is on its way to
 * a member that dies, and its client would wait for ever.
 */
export class ProcessGroup {
  readonly #options: ProcessGroupOptions
  readonly #server: Server
  /** Those that take connections. */
  readonly #members = new Set<Member>()
  readonly #waiting: Socket[] = []
  readonly #runs: Promise<void>[] = []
  readonly #stopping = new AbortController()
  readonly #failed = Promise.withResolvers<never>()

  constructor(options: ProcessGroupOptions) {
    this.#options = options
    this.#server = createServer({ pauseOnConnect: true }, (socket) => this.#accept(socket))
    this.#failed.promise.catch(() => undefined)
  }

  /** Rejects when a member can't be started; never resolves. */
  get failed(): Promise<never> {
    return this.#failed.promise
  }

  /** @throws Error when the port can't be had */
  async start(): Promise<void> {
    const { size, address } = this.#options
    for (let index = 1; index <= size; index += 1) this.#runs.push(this.#keepAlive(index))
    await once(this.#server.listen({ ...address, backlog: 4_096 }), 'listening')
  }

  /** Asks all members to stop, and waits until they have. @param delayMs how long connections are still accepted */
  async stop(delayMs: number): Promise<void> {
    this.#stopping.abort()
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
    await sleep(delayMs)
    if (this.#server.listening) await promisify(this.#server.close.bind(this.#server))()
    await Promise.all(this.#runs)
  }

  /** The metrics of all processes, each value labelled with the process that it is of; in the text format. */
  async readMetrics(): Promise<string> {
    const own = labelled(await this.#options.metrics.getMetricsAsJSON(), 'primary')
    const answers = await Promise.all(
      [...this.#members].map(async ({ index, channel }) => {
        const metrics = await channel.ask(groupQuestions.metrics, answerWithinMs)
        return Array.isArray(metrics) ? labelled(metrics as MetricJson[], String(index)) : []
      }),
    )
    return AggregatorRegistry.aggregate([own, ...answers]).metrics()
  }

  /** What the members need that are there. */
  async #readNeeds(): Promise<Needs> {
    const answers = await Promise.all(
      [...this.#members].map(({ channel }) => channel.ask(groupQuestions.needs, answerWithinMs)),
    )
    return mergeNeeds(answers.map((answer) => Needs.safeParse(answer).data ?? { process: 'unavailable' }))
  }

  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    if (this.#waiting.length >= mostWaiting) return void socket.destroy()
    this.#waiting.push(socket)
    this.#handOut()
  }

  #handOut(): void {
    while (this.#waiting.length > 0) {
      const ready = [...this.#members].filter(({ inTransit }) => inTransit.length < mostInTransit)
      const [member] = ready.toSorted((one, other) => one.connections - other.connections)
      const socket = member && this.#waiting.shift()
      if (!socket) return
      member.hand(socket)
    }
  }

  async #keepAlive(index: number): Promise<void> {
    const { signal } = this.#stopping
    const { logger } = this.#options
    const backoff = new RestartBackoff()
    for (let failedStarts = 0; !signal.aborted;) {
      const startedAt = performance.now()
      const member = new Member(index, {
        joined: () => {
          this.#members.add(member)
          this.#handOut()
        },
        changed: () => this.#handOut(),
        groupNeeds: () => this.#readNeeds(),
      })
      const [code, exitSignal] = await once(member.worker, 'exit')
      failedStarts = this.#members.delete(member) ? 0 : failedStarts + 1
      // It has read nothing of these: another one can take them.
      this.#waiting.unshift(...member.inTransit)
      this.#handOut()
      if (signal.aborted) return
      logger.error({ process: index, code, signal: exitSignal }, 'a process of the group ended; it is started again')
      if (failedStarts === mostFailedStarts) {
        this.#failed.reject(new Error(`process ${index} of the group does not start`))
        return
      }
      await sleep(backoff.nextPauseMs(performance.now() - startedAt), undefined, { signal }).catch(() => undefined)
    }
  }
}

interface MemberEvents {
  joined(): void
  /** It has taken a connection, or one of its connections has ended. */
  changed(): void
  groupNeeds(): Promise<Needs>
}

/** A process of the group, as the primary sees it. */
class Member {
  readonly index: number
  readonly worker: Worker
  readonly channel: ProcessChannel
  /** Connections that it has, and those on their way to it. */
  connections = 0
  /** Handed to it and not taken yet, the oldest first. */
  readonly inTransit: Socket[] = []

  constructor(index: number, { joined, changed, groupNeeds }: MemberEvents) {
    this.index = index
    this.worker = cluster.fork()
    this.channel = new ProcessChannel(this.worker, {
      [groupQuestions.groupNeeds]: groupNeeds,
      [groupNotes.joined]: joined,
      [groupNotes.taken]: () => {
        // The connection lives on in the member; this closes the handle here.
        this.inTransit.shift()?.destroy()
        changed()
      },
      [groupNotes.ended]: () => {
        this.connections -= 1
        changed()
      },
    })
  }

  hand(socket: Socket): void {
    this.connections += 1
    this.inTransit.push(socket)
    // A member that is gone takes nothing: then what is in transit goes to another one.
    this.worker.process.send(groupNotes.connection, socket, { keepOpen: true }, () => undefined)
  }
}

function labelled(metrics: MetricJson[], name: string): MetricJson[] {
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process: name } })),
  }))
}
