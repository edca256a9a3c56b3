import { setTimeout as sleepFor } from 'node:timers/promises'
import { RestartBackoff } from '#core/backoff.ts'
import { type Child, type Command, type Daemon, startChild } from './child.ts'
import { StartFailure } from './start-failure.ts'

const maxAttempts = 5

export interface SupervisedDaemon {
  /**
   * Starts the child and waits until it is ready; from then on it is started again whenever it ends.
   * @throws StartFailure when it can't start this first time: that is not tried again
   */
  start(): Promise<void>
  /** Stops the child, or the attempt to start it again. @returns whether it stopped by itself; if not, it was killed */
  stop(): Promise<boolean>
}

interface Options {
  onStarted: (child: Child) => Promise<void>
  /** Gets sentences for a person. */
  report: (message: string) => void
  /** The child could not be started again several times in a row, and is not any more. */
  onGaveUp: (failure: StartFailure) => void
  launch?: (command: Command) => Child
  sleep?: (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<void>
  now?: () => number
}

/** One child that has to run all the time, always from the same command: on the same port, with the same data. */
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
    // From here on `stop` knows the child, so none is left behind.
    child = launch(daemon)
    await onStarted(child)
    await child.waitUntilReady({ ready, readyWithinMs: daemon.readyWithinMs })
    return child
  }

  /** @param livedMs how long it was ready @returns undefined when `stop` was called meanwhile @throws StartFailure when all attempts failed */
  const startAgain = async (livedMs: number): Promise<Child | undefined> => {
    for (let attempt = 1; ; attempt += 1) {
      // One that was not ready in time still runs, and a dead one may have left children of its own.
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
