/** Tells the user why the stack can't run; printed without a stack trace. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
}

/** @returns the message of a `StartFailure`, the stack of any other error */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error instanceof StartFailure ? error.message : (error.stack ?? error.message)
}
