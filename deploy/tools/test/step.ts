export interface CommandResult {
  succeeded: boolean
  /** Combined stdout and stderr. */
  output: string
}

/** Runs a command in the repository's root, with the packages' programs on its PATH. */
export type RunCommand = (command: string, args: string[], env?: NodeJS.ProcessEnv) => Promise<CommandResult>

export interface StepResult {
  passed: number
  failed: number
  /** Shown when something failed. */
  output: string
}

export interface Step {
  name: string
  /** Slow work that can start while earlier steps run. It is called again, and awaited, before `run`. */
  prepare?(): Promise<void>
  run(filters: string[]): Promise<StepResult>
}
