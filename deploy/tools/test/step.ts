export interface CommandResult {
  succeeded: boolean
  /** What it printed, both streams. */
  output: string
}

/** Runs a command in the root of the repository; the packages' programs are on its PATH. */
export type RunCommand = (command: string, args: string[], env?: NodeJS.ProcessEnv) => Promise<CommandResult>

export interface StepResult {
  passed: number
  failed: number
  /** Shown when something failed. */
  output: string
}

export interface Step {
  name: string
  run(filters: string[]): Promise<StepResult>
}
