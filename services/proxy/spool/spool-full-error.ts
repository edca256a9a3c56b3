/** A request must be rejected because it can't be logged. */
export class SpoolFullError extends Error {
  override readonly name = 'SpoolFullError'

  constructor(message = 'the spool is full', options?: ErrorOptions) {
    super(message, options)
  }
}
