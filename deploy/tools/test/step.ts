export interface CommandResult {
  succeeded: boolean
  /** The text of stdout and stderr. */
  output: string
}

/** Runs a command in the root of the repository, with the programs of the packages on its PATH. */
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
