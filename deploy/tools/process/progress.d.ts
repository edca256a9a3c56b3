export interface Progress {
  /** Writes a line without tearing the one that moves. */
  print(line: string): void
  /** Shows `name` as under way until `work` has finished, then how long it took. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>
}

export function createProgress(out?: NodeJS.WriteStream): Progress
