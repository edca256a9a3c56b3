import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { RestartBackoff } from '#core/backoff.ts'
import { passedConnection, wasPassed } from './group-member.ts'
import { closeListener } from '#core/http/close-listener.ts'
import type { Logger } from '#core/logger.ts'
import { readMetrics } from '#core/metrics.ts'
import { mergeMetrics, Metrics } from '#core/metrics-text.ts'
import { ProcessChannel } from './process-channel.ts'
import { Health, mergeHealth } from './health.ts'
import { second } from '#core/units.ts'

const responseTimeoutMs = 3 * second

/** The group fails when each member has ended this many times in a row before it joined. */
const maxFailedStarts = 5

/** Connections that may wait while no member takes any. */
const maxWaiting = 4_000

/** Connections sent to a member and not taken yet. Limited, because the member may hang. */
const maxInTransit = 32

/** Pause before a member without a free file descriptor is tried again. */
const fullMs = second

/** Shorter than stopping members wait for connections in transit. */
const backlogMs = second / 10

interface ProcessGroupOptions {
  size: number
  address: { host: string; port: number }
  metrics: Registry
  logger: Logger
}

/**
 * Several processes on one port. The primary accepts connections, passes each to the member with the fewest, and
 * restarts members. Node's own cluster module would lose a connection in transit to a member that dies.
 */
export class ProcessGroup {
  readonly #options: ProcessGroupOptions
  readonly #server: Server
  readonly #members = new Set<Member>()
  /** Indexes of members that have started once; their replacements count as started as well. */
  readonly #started = new Set<number>()
  /** Indexes of members that could not be started for some time. */
  readonly #failing = new Set<number>()
  readonly #waiting: Socket[] = []
  readonly #runs: Promise<void>[] = []
  readonly #stopping = new AbortController()
  readonly #failed = Promise.withResolvers<never>()

  constructor(options: ProcessGroupOptions) {
    this.#options = options
    this.#server = createServer({ pauseOnConnect: true }, (socket) => this.#accept(socket))
    this.#failed.promise.catch(() => undefined)
  }

  /** Rejects if no member can be started; never resolves. */
  get failed(): Promise<never> {
    return this.#failed.promise
  }

  /** @throws Error if the port is in use */
  async start(): Promise<void> {
    const { size, address } = this.#options
    for (let index = 1; index <= size; index += 1) this.#runs.push(this.#keepAlive(index))
    await once(this.#server.listen({ ...address, backlog: 4_096 }), 'listening')
  }

  /** Stops all members and waits for them to exit. @param delayMs how long connections are still accepted */
  async stop(delayMs: number): Promise<void> {
    this.#stopping.abort()
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
    await sleep(delayMs)
    await closeListener(this.#server, backlogMs)
    await Promise.all(this.#runs)
  }

  async readMetrics(): Promise<Metrics> {
    const own = ['primary', await readMetrics(this.#options.metrics)] as const
    const members = [...this.#members].map(async ({ index, channel }) => {
      const metrics = await channel.request('metrics', responseTimeoutMs)
      return [String(index), Metrics.safeParse(metrics).data ?? []] as const
    })
    return mergeMetrics([own, ...(await Promise.all(members))])
  }

  async #readHealth(): Promise<Health> {
    const responses = await Promise.all(
      [...this.#members].map(({ channel }) => channel.request('health', responseTimeoutMs)),
    )
    const { size } = this.#options
    const missing = responses.length < size ? [noResponse] : []
    const health = mergeHealth([...responses.map((each) => Health.safeParse(each).data ?? noResponse), ...missing])
    if (this.#started.size === size) return { ...health, problems: [] }
    return health.problems.length > 0 ? health : { ...health, problems: ['A process of the group has not started.'] }
  }

  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    if (this.#waiting.length >= maxWaiting) return void socket.destroy()
    this.#waiting.push(socket)
    this.#passOn()
  }

  #passOn(): void {
    while (this.#waiting.length > 0) {
      const ready = [...this.#members].filter(({ isFull, inTransit }) => !isFull && inTransit.length < maxInTransit)
      const [member] = ready.toSorted(
        (one, other) => Number(one.isLeaving) - Number(other.isLeaving) || one.connections - other.connections,
      )
      const socket = member && this.#waiting.shift()
      if (!socket) return
      member.send(socket)
    }
  }

  async #keepAlive(index: number): Promise<void> {
    const { signal } = this.#stopping
    const { logger, size } = this.#options
    const backoff = new RestartBackoff()
    for (let failedStarts = 0; !signal.aborted;) {
      const startedAt = performance.now()
      try {
        const member = new Member(index, {
          joined: () => {
            this.#members.add(member)
            this.#failing.delete(index)
            this.#passOn()
          },
          started: () => void this.#started.add(index),
          changed: () => this.#passOn(),
          lost: (socket) => {
            this.#waiting.unshift(socket)
            this.#passOn()
          },
          groupHealth: () => this.#readHealth(),
        })
        const [code, exitSignal] = await once(member.worker, 'exit')
        failedStarts = this.#members.delete(member) ? 0 : failedStarts + 1
        // The member has read nothing from these, so another one can take them.
        this.#waiting.unshift(...member.inTransit)
        this.#passOn()
        if (signal.aborted) return
        logger.error({ process: index, code, signal: exitSignal }, 'a process of the group ended; it is restarted')
        if (failedStarts >= maxFailedStarts) this.#failing.add(index)
        if (this.#failing.size === size) return this.#failed.reject(new Error('no process of the group starts'))
      } catch (error) {
        // There are no file descriptors or no memory for another process, which is not the fault of the member.
        logger.error({ process: index, err: error }, 'a process of the group cannot be started; it is tried again')
      }
      await sleep(backoff.nextPauseMs(performance.now() - startedAt), undefined, { signal }).catch(() => undefined)
    }
  }
}

/** The health of a member that is missing or does not respond: the group stays ready, because the others serve. */
const noResponse: Health = { problems: [], needs: { process: 'unavailable' }, isReady: true }

interface MemberEvents {
  joined(): void
  started(): void
  /** The member took a connection, or a connection ended. */
  changed(): void
  /** The member had no file descriptor for this connection. */
  lost(socket: Socket): void
  groupHealth(): Promise<Health>
}

class Member {
  readonly index: number
  readonly worker: Worker
  readonly channel: ProcessChannel
  /** Includes those in transit. */
  connections = 0
  /** Whether it stops, so that others get connections first. */
  isLeaving = false
  /** Whether it had no free file descriptor just now. */
  isFull = false
  /** Sent but not taken yet, oldest first. */
  readonly inTransit: Socket[] = []

  constructor(index: number, on: MemberEvents) {
    this.index = index
    this.worker = cluster.fork()
    this.channel = new ProcessChannel(this.worker, {
      groupHealth: on.groupHealth,
      joined: on.joined,
      started: on.started,
      leaving: () => (this.isLeaving = true),
      taken: () => {
        // Closes the handle of this process; the connection continues in the member.
        this.inTransit.shift()?.destroy()
        on.changed()
      },
      lost: () => {
        const socket = this.inTransit.shift()
        this.connections -= 1
        this.isFull = true
        setTimeout(() => {
          this.isFull = false
          on.changed()
        }, fullMs)
        if (socket) on.lost(socket)
      },
      ended: () => {
        this.connections -= 1
        on.changed()
      },
    })
  }

  send(socket: Socket): void {
    this.connections += 1
    this.inTransit.push(socket)
    // Errors are ignored: when the member exits, another one gets the connections in transit.
    this.worker.process.send(passedConnection, socket, { keepOpen: true }, () => undefined)
    this.worker.process.send(wasPassed, () => undefined)
  }
}
