import { setTimeout as sleepFor } from 'node:timers/promises'
import { RestartBackoff } from '#core/backoff.ts'
import { type Child, type Command, type Daemon, startChild } from './child.ts'
import { StartFailure } from './start-failure.ts'

const maxAttempts = 5

interface SupervisedDaemon {
  /**
   * Starts the child, waits until it is ready, and from then on restarts it whenever it ends.
   * @throws StartFailure when the first start fails, which is not retried
   */
  start(): Promise<void>
  /** Stops the child or its restart. @returns false when it did not stop in time and was killed */
  stop(): Promise<boolean>
}

interface Options {
  onStarted: (child: Child) => Promise<void>
  /** Shows a sentence to the user. */
  report: (message: string) => void
  /** Called when the child could not be restarted several times in a row. */
  onGaveUp: (failure: StartFailure) => void
  launch?: (command: Command) => Child
  sleep?: (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<void>
  now?: () => number
}

/** Keeps one child running, always with the same command: on the same port, with the same data. */
export function superviseDaemon(
  daemon: Daemon,
  { onStarted, report, onGaveUp, launch = startChild, sleep = sleepFor, now = () => performance.now() }: Options,
): SupervisedDaemon {
  const { name } = daemon
  const stopping = new AbortController()
  const { signal } = stopping
  let child: Child | undefined
  let running: Promise<void> | undefined
  const backoff = new RestartBackoff()

  const startOnce = async (ready: Daemon['ready']): Promise<Child> => {
    await daemon.clearLeftovers?.()
    signal.throwIfAborted()
    // Set before anything can fail, so that `stop` can stop it.
    child = launch(daemon)
    await onStarted(child)
    await child.waitUntilReady({ ready, readyWithinMs: daemon.readyWithinMs })
    return child
  }

  /**
   * @param livedMs how long it had been ready
   * @returns undefined after `stop`
   * @throws StartFailure when all attempts failed
   */
  const startAgain = async (livedMs: number): Promise<Child | undefined> => {
    for (let attempt = 1; ; attempt += 1) {
      // A child that was not ready in time still runs, and a dead one may have left its own children.
      await child?.stop(daemon)
      const pauseMs = backoff.nextPauseMs(attempt === 1 ? livedMs : 0)
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
      try {
        signal.throwIfAborted()
        return await startOnce(daemon.readyAgain ?? daemon.ready)
      } catch (error) {
        if (signal.aborted) return undefined
        if (attempt === maxAttempts) throw giveUp(error)
        report(`${name} could not be started again (attempt ${attempt} of ${maxAttempts}).`)
      }
    }
  }

  const giveUp = (cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new StartFailure(`${name} could not be started again in ${maxAttempts} attempts. ${reason}`, { cause })
  }

  const keepRunning = async (first: Child): Promise<void> => {
    let current: Child | undefined = first
    while (current) {
      const readyAt = now()
      const { how } = await current.exited
      if (signal.aborted) return
      report(`${name} ended (${how}); starting it again.`)
      current = await startAgain(now() - readyAt)
      if (current) report(`${name} is running again.`)
    }
  }

  return {
    async start() {
      const first = await startOnce(daemon.ready)
      running = keepRunning(first).catch(onGaveUp)
    },
    async stop() {
      stopping.abort(new StartFailure('The start was broken off.'))
      const stoppedBySelf = (await child?.stop(daemon)) ?? true
      await running
      await daemon.clearLeftovers?.()
      return stoppedBySelf
    },
  }
}
