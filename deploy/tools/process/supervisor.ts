import { type Command, type Daemon, type StopSignal, startChild } from './child.ts'
import { StartFailure } from './start-failure.ts'
import { superviseDaemon } from './supervised-daemon.ts'

/** Children of a lower stage stop first; those of the same stage stop together. */
export const stage = { entry: 0, services: 1, stores: 2 } as const
type Stage = (typeof stage)[keyof typeof stage]

export interface Supervisor {
  /** Starts a child, waits until it is ready, and restarts it whenever it ends before `stop`. */
  start(daemon: Daemon, stopsIn: Stage): Promise<void>
  /** Runs a command and waits until it ends. @throws StartFailure with its last lines when it fails */
  run(command: Command): Promise<void>
  /** Rejects when a child can't be restarted; never resolves. */
  failed: Promise<never>
  /** Stops everything in order, and kills what does not stop in time. Idempotent. */
  stop(): Promise<void>
}

interface Hooks {
  onStarted?: (child: { name: string; pid: number; stopSignal: StopSignal }) => Promise<void>
  /** Called when a child did not stop in time and was killed. */
  onKilled?: (name: string) => void
  /** Called when a child ended or was restarted. */
  report?: (message: string) => void
}

interface Entry {
  name: string
  stopsIn: Stage
  /** @returns false when it was killed */
  stop(): Promise<boolean>
}

const commandLimits = { stopSignal: 'SIGTERM', stopWithinMs: 5_000 } as const

/** Starts children, restarts those that end, and stops all of them together. */
export function createSupervisor({ onStarted, onKilled, report = () => {} }: Hooks = {}): Supervisor {
  const entries = new Set<Entry>()
  const failure = Promise.withResolvers<never>()
  // A rejection without a handler must not crash the supervisor.
  failure.promise.catch(() => {})
  let stopping: Promise<void> | undefined

  const checkNotStopping = () => {
    if (stopping) throw new StartFailure('The start was broken off.')
  }

  const stopAll = async () => {
    for (const current of Object.values(stage)) {
      const due = [...entries].filter(({ stopsIn }) => stopsIn === current)
      await Promise.all(
        due.map(async ({ name, stop }) => {
          if (!(await stop())) onKilled?.(name)
        }),
      )
    }
  }

  return {
    failed: failure.promise,
    async start(daemon, stopsIn) {
      checkNotStopping()
      const { name, stopSignal } = daemon
      const supervised = superviseDaemon(daemon, {
        onStarted: async ({ pid }) => onStarted?.({ name, pid, stopSignal }),
        report,
        onGaveUp: failure.reject,
      })
      entries.add({ name, stopsIn, stop: supervised.stop })
      await supervised.start()
    },
    async run(command) {
      checkNotStopping()
      const child = startChild(command)
      const { name, pid } = child
      const entry: Entry = { name, stopsIn: stage.services, stop: () => child.stop(commandLimits) }
      entries.add(entry)
      await onStarted?.({ name, pid, stopSignal: commandLimits.stopSignal })
      const { code, description } = await child.exited
      entries.delete(entry)
      if (code !== 0) throw new StartFailure(description)
    },
    stop: () => (stopping ??= stopAll()),
  }
}
