import type { Progress } from '#tools/process/progress.js'
import type { Supervisor } from '#tools/process/supervisor.ts'

export interface BenchOptions {
  /** Put the result into deploy/docs/measured.md. */
  writes: boolean
  /** Only these; undefined: all. */
  targets: readonly string[] | undefined
  phases: readonly string[] | undefined
  rounds: number
  seconds: number
  requests: number
  /** Of the history that screens look at. */
  rows: number
  /** How often each figure of the screens is taken. */
  runs: number
  /** Keeps that history for another run. */
  dataDir: string | undefined
  /** Another checkout of this repository, to be compared with this one. */
  against: string | undefined
}

/** What a benchmark gets: everything that it starts through the supervisor is stopped for it, on Ctrl-C too. */
export interface BenchContext {
  supervisor: Supervisor
  progress: Progress
  /** A folder that goes when the run ends. */
  workDir: string
  /** The process of a child that the supervisor started, by its name. */
  pidOf(child: string): number | undefined
  /** What has to happen when the run ends, on Ctrl-C too. */
  atEnd(end: () => Promise<void>): void
  options: BenchOptions
}

export type Part = (context: BenchContext) => Promise<void>
