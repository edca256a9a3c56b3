/** Why the stack can't run, in words for the person at the terminal: printed without a stack trace. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
}

/** What to print of an error: the message of a `StartFailure`, the stack of any other. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error instanceof StartFailure ? error.message : (error.stack ?? error.message)
}
