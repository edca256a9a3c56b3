import type { Progress } from '#tools/process/progress.js'
import type { Pin } from './pinning.ts'
import type { Supervisor } from '#tools/process/supervisor.ts'

interface BenchOptions {
  /** Write the result into deploy/docs/measured.md. */
  write?: true
  /** Only these; undefined: all. */
  targets?: readonly string[]
  phases?: readonly string[]
  /** How many processes of each target are measured. */
  starts: number
  rounds: number
  seconds: number
  requests: number
  /** How long the embedded stack is loaded. */
  minutes: number
  /** Rows in the history that the screens show. */
  rows: number
  /** How often each figure of the screens is measured. */
  runs: number
  /** Another checkout of this repository, to be compared with this one. */
  against?: string
}

/** Everything that a benchmark starts through the supervisor is stopped when the run ends, including on Ctrl-C. */
export interface BenchContext {
  supervisor: Supervisor
  progress: Progress
  /** Deleted when the run ends. */
  workDir: string
  /** The process id of a supervised child, by its name. */
  pidOf(child: string): number | undefined
  /** Pins a measured process to a dedicated core; undefined if it shares all cores. */
  pin?: Pin | undefined
  /** Where the bare proxy and this checkout's write a CPU profile; undefined: nowhere. */
  profileFolder?: string
  /** Adds cleanup for the end of the run, including on Ctrl-C. */
  atEnd(end: () => Promise<void>): void
  options: BenchOptions
}

export type Part = (context: BenchContext) => Promise<void>
