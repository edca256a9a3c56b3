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
  /** What takes long and can start while earlier steps run. It is called again, and awaited, before `run`. */
  prepare?(): Promise<void>
  run(filters: string[]): Promise<StepResult>
}
