/** What the operator asked for can't be done; the text says why. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
