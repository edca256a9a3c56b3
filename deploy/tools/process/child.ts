import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { summarizeLogLine } from './log-line.ts'
import { StartFailure } from './start-failure.ts'
import { killGroup, stopProcess } from './stop-process.ts'

const keptLines = 200
const shownLines = 8
const probeEveryMs = 40
const lastWordsMs = 200
/** Also of the stack that Node prints when it runs out of memory. */
const stackFrame = /^\s+at |^\s*\d+: 0x|^-+ Native stack trace -+$/

export interface Command {
  name: string
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** Opens an IPC channel, which closes when this process ends, so that the child ends too. */
  ipc?: boolean
  onLine?: (line: string) => void
}

/** A command that runs until it is stopped. Durations in ms. */
export interface Daemon extends Command {
  /** Polled until it returns true. `output`: the lines that the child has printed so far. */
  ready: (output: readonly string[]) => boolean | Promise<boolean>
  readyWithinMs: number
  /** `ready` for a restart, when a dependency may be unavailable. Default: `ready`. */
  readyAgain?: Daemon['ready']
  /** Ends processes left behind by an earlier run. Called before each start and after the stop. */
  clearLeftovers?: () => Promise<void>
  stopSignal: StopSignal
  stopWithinMs: number
}

export type StopSignal = 'SIGTERM' | 'SIGINT'

export interface Child {
  name: string
  pid: number
  /** Resolves when the child has ended. `description`: how it ended and its last lines, for the user. */
  exited: Promise<{ code: number | null; how: string; description: string }>
  /** @throws StartFailure when it ends before it is ready, or is not ready in time */
  waitUntilReady(daemon: Pick<Daemon, 'ready' | 'readyWithinMs'>): Promise<void>
  /** @returns false when it did not stop in time and was killed */
  stop(how: Pick<Daemon, 'stopSignal' | 'stopWithinMs'>): Promise<boolean>
}

/** Starts a child in its own process group, so that Ctrl-C reaches it only through its supervisor. */
export function startChild({ name, command, args, env, cwd, ipc, onLine }: Command): Child {
  const child = spawn(command, args, {
    detached: true,
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? ['ipc' as const] : [])],
  })
  child.once('error', () => {})
  const { pid } = child
  if (pid === undefined) throw new StartFailure(`${name} does not start: ${command} can't be run.`)
  const output = collectLines(child, onLine)
  const lastWords = () => {
    const relevant = output.filter((line) => line.trim() && !stackFrame.test(line))
    const lines = relevant.slice(-shownLines).map((line) => `  ${summarizeLogLine(line)}`)
    return lines.length > 0 ? ['It said last:', ...lines].join('\n') : 'It said nothing.'
  }
  const hasExited = () => child.exitCode !== null || child.signalCode !== null
  const exited = waitForEnd(child).then(() => {
    const how = child.signalCode ?? `exit code ${child.exitCode}`
    return { code: child.exitCode, how, description: `${name} ended (${how}). ${lastWords()}` }
  })

  return {
    name,
    pid,
    exited,
    async waitUntilReady({ ready, readyWithinMs }) {
      const deadline = performance.now() + readyWithinMs
      while (true) {
        const isReady = await ready(output)
        if (hasExited()) throw new StartFailure((await exited).description)
        if (isReady) return
        if (performance.now() > deadline)
          throw new StartFailure(`${name} is not ready after ${readyWithinMs / 1_000} s. ${lastWords()}`)
        await sleep(probeEveryMs)
      }
    },
    async stop({ stopSignal, stopWithinMs }) {
      const stoppedInTime = await stopProcess(pid, { signal: stopSignal, limitMs: stopWithinMs, hasExited })
      await exited
      // Its own children may still run.
      killGroup(pid)
      return stoppedInTime
    },
  }
}

function collectLines(child: ChildProcess, onLine: Command['onLine']): string[] {
  const output: string[] = []
  for (const input of [child.stdout, child.stderr]) {
    if (!input) continue
    createInterface({ input }).on('line', (line) => {
      output.push(line)
      if (output.length > keptLines) output.shift()
      onLine?.(line)
    })
  }
  return output
}

/** Waits for the exit, and briefly for the lines still in the pipe, which a grandchild may keep open. */
async function waitForEnd(child: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => child.once('close', resolve))
  await new Promise((resolve) => child.once('exit', resolve))
  await Promise.race([closed, sleep(lastWordsMs)])
}
