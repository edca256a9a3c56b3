import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartFailure } from './start-failure.ts'
import { killGroup, stopProcess } from './stop-process.ts'

const keptLines = 200
const shownLines = 8
const probeEveryMs = 40
const lastWordsMs = 200
const stackFrame = /^\s+at /

/** Everything that the embedded stack runs is described like this. */
export interface Command {
  name: string
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** An IPC channel, whose end tells the child that this process is gone. */
  ipc?: boolean
  onLine?: (line: string) => void
}

/** A command that goes on until it is stopped. Durations ms. */
export interface Daemon extends Command {
  /** Asked again and again until it says yes; gets what the child printed so far. */
  ready: (output: readonly string[]) => boolean | Promise<boolean>
  readyWithinMs: number
  /** The same when it was started again, while something that it needs may be away. Default: `ready`. */
  readyAgain?: Daemon['ready']
  /** Ends what an earlier process may have left behind. Runs before each start and after the stop. */
  clearLeftovers?: () => Promise<void>
  stopSignal: StopSignal
  stopWithinMs: number
}

export type StopSignal = 'SIGTERM' | 'SIGINT'

export interface Child {
  name: string
  pid: number
  /** Settles when it has ended, with a description for a person: how, and what it said last. */
  exited: Promise<{ code: number | null; how: string; description: string }>
  /** @throws StartFailure when it ends or takes too long before it is ready */
  waitUntilReady(daemon: Pick<Daemon, 'ready' | 'readyWithinMs'>): Promise<void>
  /** @returns whether it stopped by itself; if not, it was killed */
  stop(how: Pick<Daemon, 'stopSignal' | 'stopWithinMs'>): Promise<boolean>
}

/** Starts a child as the leader of a process group of its own: Ctrl-C reaches it only through its supervisor. */
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
    const telling = output.filter((line) => line.trim() && !stackFrame.test(line))
    const lines = telling.slice(-shownLines).map((line) => `  ${line}`)
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
      const bySelf = await stopProcess(pid, { signal: stopSignal, limitMs: stopWithinMs, hasExited })
      await exited
      // What it may have started and left behind.
      killGroup(pid)
      return bySelf
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

/** Its end, and then the lines still in the pipe: not for long, because a child of its own may hold that open. */
async function waitForEnd(child: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => child.once('close', resolve))
  await new Promise((resolve) => child.once('exit', resolve))
  await Promise.race([closed, sleep(lastWordsMs)])
}
