/** A request must be rejected because it can't be logged. */
export class SpoolFullError extends Error {
  override readonly name = 'SpoolFullError'
}
