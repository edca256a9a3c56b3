const asterisk = 0x2a

/** Shorter keys are placeholders of servers that need none; they may well be words of an answer. */
const shortestSecret = 16

/** Where these bytes do not occur, nothing has to be looked at one by one. */
const prefixBytes = 4

/**
 * Blots a provider's key out of what comes back from it, should it echo it. Nothing changes its length by that. Each
 * byte is looked at a fixed number of times, wherever the bytes are cut (Knuth, Morris and Pratt).
 */
export class SecretMask {
  readonly #secret: Buffer
  readonly #prefix: Buffer
  /** For each length of a beginning: how much of it is left to match when the next byte is another one. */
  readonly #fallbacks: Uint16Array
  /** The end of the last piece, where it could be the beginning of the key. */
  #held: Buffer | undefined

  private constructor(secret: Buffer) {
    this.#secret = secret
    this.#prefix = secret.subarray(0, prefixBytes)
    this.#fallbacks = fallbacksOf(secret)
  }

  /** @returns undefined for a key that is none */
  static of(secret: string): SecretMask | undefined {
    return secret.length < shortestSecret ? undefined : new SecretMask(Buffer.from(secret))
  }

  /** @returns what may go on of this piece and the one before; may be empty */
  push(piece: Buffer): Buffer {
    const heldBytes = this.#held?.length ?? 0
    const { ends, matched } = this.#match(piece, heldBytes)
    let bytes = this.#held ? Buffer.concat([this.#held, piece]) : piece
    // The bytes of a piece belong to the connection that they came on.
    if (ends.length > 0 && !this.#held) bytes = Buffer.from(piece)
    for (const end of ends) bytes.fill(asterisk, heldBytes + end - this.#secret.length, heldBytes + end)
    this.#held = matched > 0 ? bytes.subarray(bytes.length - matched) : undefined
    return matched > 0 ? bytes.subarray(0, bytes.length - matched) : bytes
  }

  /** What was held back, when nothing follows. */
  flush(): Buffer | undefined {
    return this.#held
  }

  /**
   * @param matched how much of the key stood right before the piece
   * @returns where the key ends in the piece, and how much of it stands at its end
   */
  #match(piece: Buffer, matched: number): { ends: number[]; matched: number } {
    const ends: number[] = []
    for (let at = 0; at < piece.length; at += 1) {
      if (matched === 0) {
        const next = piece.indexOf(this.#prefix, at)
        // At the very end the prefix itself may have been cut.
        at = next === -1 ? Math.max(at, piece.length - prefixBytes + 1) : next
      }
      while (matched > 0 && piece[at] !== this.#secret[matched]) matched = this.#fallbacks[matched]!
      if (piece[at] === this.#secret[matched]) matched += 1
      if (matched === this.#secret.length) {
        ends.push(at + 1)
        matched = 0
      }
    }
    return { ends, matched }
  }
}

function fallbacksOf(secret: Buffer): Uint16Array {
  const fallbacks = new Uint16Array(secret.length + 1)
  for (let length = 2, matched = 0; length <= secret.length; length += 1) {
    while (matched > 0 && secret[length - 1] !== secret[matched]) matched = fallbacks[matched]!
    if (secret[length - 1] === secret[matched]) matched += 1
    fallbacks[length] = matched
  }
  return fallbacks
}
