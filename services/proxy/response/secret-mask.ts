import { asterisk, SecretMatcher } from './secret-matcher.ts'

/** Masks a provider's key in a response that echoes it. Lengths stay the same. */
export class SecretMask {
  readonly #matcher: SecretMatcher
  /** The end of the last piece, if it may be the start of the key. */
  #buffered: Buffer | undefined

  private constructor(matcher: SecretMatcher) {
    this.#matcher = matcher
  }

  /** @returns undefined for a placeholder */
  static of(secret: string): SecretMask | undefined {
    const matcher = SecretMatcher.of(secret)
    return matcher && new SecretMask(matcher)
  }

  /** @returns the bytes that can be sent now; may be empty */
  push(piece: Buffer): Buffer {
    const bufferedBytes = this.#buffered?.length ?? 0
    const { ends, matched } = this.#matcher.match(piece, bufferedBytes)
    let bytes = this.#buffered ? Buffer.concat([this.#buffered, piece]) : piece
    // The caller's piece must not be modified.
    if (ends.length > 0 && !this.#buffered) bytes = Buffer.from(piece)
    for (const end of ends) bytes.fill(asterisk, bufferedBytes + end - this.#matcher.length, bufferedBytes + end)
    this.#buffered = matched > 0 ? bytes.subarray(bytes.length - matched) : undefined
    return matched > 0 ? bytes.subarray(0, bytes.length - matched) : bytes
  }

  /** @returns bytes still buffered at the end of the response */
  flush(): Buffer | undefined {
    return this.#buffered
  }
}
