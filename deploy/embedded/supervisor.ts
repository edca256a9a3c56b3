import { type Child, type Command, type Daemon, type StopSignal, startChild } from './child.ts'
import { StartFailure } from './start-failure.ts'

/** Those of a lower stage stop first, those of one stage together. */
export const stage = { entry: 0, services: 1, stores: 2 } as const
type Stage = (typeof stage)[keyof typeof stage]

export interface Supervisor {
  /** Starts a child that has to live until `stop`, and waits until it is ready. */
  start(daemon: Daemon, stopsIn: Stage): Promise<void>
  /** Runs a command to its end. @throws StartFailure with its last lines when it fails */
  run(command: Command): Promise<void>
  /** Rejects as soon as a child that has to live is dead; never resolves. */
  failed: Promise<never>
  /** Stops everything in order; what doesn't obey in time is killed. Called twice, it happens once. */
  stop(): Promise<void>
}

interface Hooks {
  onStarted?: (child: { name: string; pid: number; stopSignal: StopSignal }) => Promise<void>
  /** A child did not stop in time and was killed. */
  onKilled?: (name: string) => void
}

interface Entry {
  child: Child
  stopsIn: Stage
  stopSignal: StopSignal
  stopWithinMs: number
  hasToLive: boolean
}

const commandLimits = { stopSignal: 'SIGTERM', stopWithinMs: 5_000, hasToLive: false } as const

/** Starts children and sees to it that they live and end together. */
export function createSupervisor({ onStarted, onKilled }: Hooks = {}): Supervisor {
  const entries = new Set<Entry>()
  const death = Promise.withResolvers<never>()
  // Handled here too: a death that nobody waits for yet must not crash the supervisor.
  death.promise.catch(() => {})
  let stopping: Promise<void> | undefined

  const watch = async (entry: Entry) => {
    const { description } = await entry.child.exited
    if (stopping) return
    entries.delete(entry)
    if (entry.hasToLive) death.reject(new StartFailure(description))
  }

  const add = async (command: Command, limits: Omit<Entry, 'child'>) => {
    if (stopping) throw new StartFailure('The start was broken off.')
    const child = startChild(command)
    const entry = { child, ...limits }
    entries.add(entry)
    void watch(entry)
    await onStarted?.({ name: child.name, pid: child.pid, stopSignal: limits.stopSignal })
    return child
  }

  const stopAll = async () => {
    for (const current of Object.values(stage)) {
      const due = [...entries].filter(({ stopsIn }) => stopsIn === current)
      await Promise.all(
        due.map(async (entry) => {
          if (!(await entry.child.stop(entry))) onKilled?.(entry.child.name)
        }),
      )
    }
  }

  return {
    failed: death.promise,
    async start(daemon, stopsIn) {
      const { stopSignal, stopWithinMs } = daemon
      const child = await add(daemon, { stopsIn, stopSignal, stopWithinMs, hasToLive: true })
      await child.waitUntilReady(daemon)
    },
    async run(command) {
      const child = await add(command, { stopsIn: stage.services, ...commandLimits })
      const { code, description } = await child.exited
      if (code !== 0) throw new StartFailure(description)
    },
    stop: () => (stopping ??= stopAll()),
  }
}
