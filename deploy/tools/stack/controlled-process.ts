import { type Child, type Daemon, startChild } from '#tools/process/child.ts'
import { isOk } from '#tools/process/is-ok.ts'
import { scriptCommand } from '#tools/process/script-daemon.ts'

/** A program that tests kill, freeze and restart. */
export interface ControlledProcess {
  start(): Promise<void>
  /** Starts it without waiting until it is ready. */
  launch(): void
  ready(): Promise<void>
  /** Sends SIGKILL and waits until it has ended. */
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
  freeze(): void
  thaw(): void
  /** Sends SIGTERM and waits until it has ended. */
  stop(): Promise<void>
  output(): string
}

export function createProcess(description: Omit<Daemon, 'stopSignal' | 'stopWithinMs'>): ControlledProcess {
  let child: Child | undefined
  const lines: string[] = []
  const signal = (name: NodeJS.Signals) => child && process.kill(child.pid, name)
  const onLine = (line: string) => {
    lines.push(line)
    if (lines.length > 400) lines.shift()
  }
  const launch = () => {
    child = startChild({ ...description, onLine })
  }
  const ready = async () => child?.waitUntilReady(description)
  return {
    launch,
    ready,
    async start() {
      launch()
      await ready()
    },
    async kill() {
      signal('SIGKILL')
      await child?.exited
    },
    signal: (name) => void signal(name),
    freeze: () => void signal('SIGSTOP'),
    thaw: () => void signal('SIGCONT'),
    async stop() {
      await child?.stop({ stopSignal: 'SIGTERM', stopWithinMs: 90_000 })
    },
    output: () => lines.join('\n'),
  }
}

/** Creates a process for a script of this repository, which ends when this process does. */
export function createNodeProcess(
  name: string,
  script: string,
  { args = [], env = {}, ready }: { args?: string[]; env?: NodeJS.ProcessEnv; ready: Daemon['ready'] },
): ControlledProcess {
  return createProcess({
    name,
    ...scriptCommand(script, args),
    env: { ...process.env, ...env },
    ready,
    readyWithinMs: 60_000,
  })
}

export const isReady = (port: number): Promise<boolean> => isOk(`http://127.0.0.1:${port}/readyz`)

/** @returns whether a service responds at all */
export const isAlive = (port: number): Promise<boolean> => isOk(`http://127.0.0.1:${port}/healthz`)
