/** Why the stack can't run, in words for the person at the terminal: printed without a stack trace. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
}
