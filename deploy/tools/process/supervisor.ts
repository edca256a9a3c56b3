import { type Command, type Daemon, type StopSignal, startChild } from './child.ts'
import { StartFailure } from './start-failure.ts'
import { superviseDaemon } from './supervised-daemon.ts'

/** Those of a lower stage stop first, those of one stage together. */
export const stage = { entry: 0, services: 1, stores: 2 } as const
type Stage = (typeof stage)[keyof typeof stage]

export interface Supervisor {
  /** Starts a child that has to run until `stop` and waits until it is ready. When it ends later, it is started again. */
  start(daemon: Daemon, stopsIn: Stage): Promise<void>
  /** Runs a command to its end. @throws StartFailure with its last lines when it fails */
  run(command: Command): Promise<void>
  /** Rejects as soon as a child that has to run can't be started again; never resolves. */
  failed: Promise<never>
  /** Stops everything in order; what doesn't obey in time is killed. Called twice, it happens once. */
  stop(): Promise<void>
}

interface Hooks {
  onStarted?: (child: { name: string; pid: number; stopSignal: StopSignal }) => Promise<void>
  /** A child did not stop in time and was killed. */
  onKilled?: (name: string) => void
  /** A child ended, or is started again. */
  report?: (message: string) => void
}

interface Entry {
  name: string
  stopsIn: Stage
  /** @returns whether it stopped by itself */
  stop(): Promise<boolean>
}

const commandLimits = { stopSignal: 'SIGTERM', stopWithinMs: 5_000 } as const

/** Starts children, starts those anew that end, and stops all of them together. */
export function createSupervisor({ onStarted, onKilled, report = () => {} }: Hooks = {}): Supervisor {
  const entries = new Set<Entry>()
  const failure = Promise.withResolvers<never>()
  // Handled here too: a failure that nobody waits for yet must not crash the supervisor.
  failure.promise.catch(() => {})
  let stopping: Promise<void> | undefined

  const add = (entry: Entry) => {
    entries.add(entry)
    return entry
  }

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
      add({ name, stopsIn, stop: supervised.stop })
      await supervised.start()
    },
    async run(command) {
      checkNotStopping()
      const child = startChild(command)
      const { name, pid } = child
      const entry = add({ name, stopsIn: stage.services, stop: () => child.stop(commandLimits) })
      await onStarted?.({ name, pid, stopSignal: commandLimits.stopSignal })
      const { code, description } = await child.exited
      entries.delete(entry)
      if (code !== 0) throw new StartFailure(description)
    },
    stop: () => (stopping ??= stopAll()),
  }
}
