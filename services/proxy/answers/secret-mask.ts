const asterisk = 0x2a

/** Shorter keys are placeholders of servers that need none; they may well be words of an answer. */
const shortestSecret = 16

/** Blots a provider's key out of what comes back from it, should it echo it. Nothing changes its length by that. */
export class SecretMask {
  readonly #secret: Buffer
  /** The end of the last piece, where it could be the beginning of the key. */
  #held: Buffer | undefined

  private constructor(secret: Buffer) {
    this.#secret = secret
  }

  /** @returns undefined for a key that is none */
  static of(secret: string): SecretMask | undefined {
    return secret.length < shortestSecret ? undefined : new SecretMask(Buffer.from(secret))
  }

  /** @returns what may go on of this piece and the one before; may be empty */
  push(piece: Buffer): Buffer {
    const bytes = this.#blot(this.#held ? Buffer.concat([this.#held, piece]) : piece)
    const end = this.#beginningAtEnd(bytes)
    this.#held = end === bytes.length ? undefined : bytes.subarray(end)
    return this.#held ? bytes.subarray(0, end) : bytes
  }

  /** What was held back, when nothing follows. */
  flush(): Buffer | undefined {
    return this.#held
  }

  #blot(bytes: Buffer): Buffer {
    let at = bytes.indexOf(this.#secret)
    if (at === -1) return bytes
    // The bytes belong to the connection that they came on.
    const blotted = Buffer.from(bytes)
    for (; at !== -1; at = blotted.indexOf(this.#secret, at)) blotted.fill(asterisk, at, at + this.#secret.length)
    return blotted
  }

  /** Where a part of the key begins that may go on in the next piece. */
  #beginningAtEnd(bytes: Buffer): number {
    const first = this.#secret[0]!
    let at = bytes.indexOf(first, Math.max(0, bytes.length - this.#secret.length + 1))
    for (; at !== -1; at = bytes.indexOf(first, at + 1)) {
      if (this.#secret.compare(bytes, at, bytes.length, 0, bytes.length - at) === 0) return at
    }
    return bytes.length
  }
}
