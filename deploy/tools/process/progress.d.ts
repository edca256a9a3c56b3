export interface Progress {
  /** Writes a line above the animated one. */
  print(line: string): void
  /** Shows `name` while `work` runs, then how long it took. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>
}

export function createProgress(out?: NodeJS.WriteStream): Progress
