import { setTimeout as sleep } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import { codeOf } from '#core/errors.ts'
import type { Logger } from '#core/logger.ts'
import { second } from '#core/units.ts'
import type { Readiness } from './readiness.ts'

const pauseMs = second
const checkTimeoutMs = 10 * second

/** Its message is shown at `/startupz`, so it must not contain secrets. */
export class StartupProblem extends Error {}

/**
 * Checks until everything that the roles of this process need has worked once: all needs, then the checks that are
 * added here. Later failures change nothing, so a started process outlives its stores.
 */
export class Startup {
  readonly #readiness: Pick<Readiness, 'check'>
  readonly #logger: Logger
  readonly #checks: { name: string; check(): Promise<unknown> }[] = []
  readonly #stopping = new AbortController()
  #problems = ['The first check is still running.']

  constructor(readiness: Pick<Readiness, 'check'>, logger: Logger) {
    this.#readiness = readiness
    this.#logger = logger
  }

  /** @param check throws a `StartupProblem` for anything that an operator can fix */
  add(name: string, check: () => Promise<unknown>): void {
    this.#checks.push({ name, check })
  }

  /** Reasons why the process has not started, one sentence each; empty once it has. */
  get problems(): readonly string[] {
    return this.#problems
  }

  /** @returns true once everything has worked; false after `stop` */
  async run(): Promise<boolean> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const failures = await this.#findFailures()
      const problems = failures.map(describe)
      if (problems.join() !== this.#problems.join())
        for (const [index, { error }] of failures.entries()) this.#log(problems[index], error)
      this.#problems = problems
      if (problems.length === 0) return true
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    }
    return false
  }

  stop(): void {
    this.#stopping.abort()
  }

  #log(problem: string | undefined, error: unknown): void {
    this.#logger.warn(error instanceof StartupProblem ? {} : { err: error }, `has not started: ${problem}`)
  }

  /** Runs the checks one after the other, because each relies on those before it. */
  async #findFailures(): Promise<Failure[]> {
    const { errors } = await this.#readiness.check()
    if (errors.size > 0) return [...errors].map(([name, error]) => ({ name, error }))
    for (const { name, check } of this.#checks) {
      try {
        await pTimeout(check(), { milliseconds: checkTimeoutMs })
      } catch (error) {
        return [{ name, error }]
      }
    }
    return []
  }
}

interface Failure {
  name: string
  error: unknown
}

/** Messages of stores may name hosts and users, so they appear only in the log. */
function describe({ name, error }: Failure): string {
  if (error instanceof StartupProblem) return error.message
  const code = codeOf(error)
  return `${name} cannot be used${code === undefined ? '' : ` (${code})`}; the log says why.`
}
