/** A request can't be noted, so it must not be taken. */
export class SpoolFullError extends Error {
  override readonly name = 'SpoolFullError'
}
