import { asterisk, SecretMatcher } from './secret-matcher.ts'

/** Masks a provider's key in its response, should it echo it. Lengths stay the same. */
export class SecretMask {
  readonly #matcher: SecretMatcher
  /** The end of the last piece, where it could be the beginning of the key. */
  #held: Buffer | undefined

  private constructor(matcher: SecretMatcher) {
    this.#matcher = matcher
  }

  /** @returns undefined for a key that is none */
  static of(secret: string): SecretMask | undefined {
    const matcher = SecretMatcher.of(secret)
    return matcher && new SecretMask(matcher)
  }

  /** @returns what may go on of this piece and the one before; may be empty */
  push(piece: Buffer): Buffer {
    const heldBytes = this.#held?.length ?? 0
    const { ends, matched } = this.#matcher.match(piece, heldBytes)
    let bytes = this.#held ? Buffer.concat([this.#held, piece]) : piece
    // The bytes of a piece belong to the connection that they came on.
    if (ends.length > 0 && !this.#held) bytes = Buffer.from(piece)
    for (const end of ends) bytes.fill(asterisk, heldBytes + end - this.#matcher.length, heldBytes + end)
    this.#held = matched > 0 ? bytes.subarray(bytes.length - matched) : undefined
    return matched > 0 ? bytes.subarray(0, bytes.length - matched) : bytes
  }

  /** What was held back, when nothing follows. */
  flush(): Buffer | undefined {
    return this.#held
  }
}
