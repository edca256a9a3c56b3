/** Shorter keys are placeholders of servers that need none; they may well be words of a response. */
const shortestSecret = 16

/** Where these bytes do not occur, nothing has to be looked at one by one. */
const prefixBytes = 4

/** Stands in the place of each byte of a key. */
export const asterisk = 0x2a

/**
 * Finds a provider's key in bytes that come in pieces. Each byte is looked at a fixed number of times, wherever the bytes
 * are cut (Knuth, Morris and Pratt).
 */
export class SecretMatcher {
  readonly length: number
  readonly #secret: Buffer
  readonly #prefix: Buffer
  /** For each length of a beginning: how much of it is left to match when the next byte is another one. */
  readonly #fallbacks: Uint16Array

  private constructor(secret: Buffer) {
    this.length = secret.length
    this.#secret = secret
    this.#prefix = secret.subarray(0, prefixBytes)
    this.#fallbacks = fallbacksOf(secret)
  }

  /** @returns undefined for a key that is none */
  static of(secret: string): SecretMatcher | undefined {
    return secret.length < shortestSecret ? undefined : new SecretMatcher(Buffer.from(secret))
  }

  /**
   * @param matched how much of the key stood right before the piece
   * @returns where the key ends in the piece, and how much of it stands at its end
   */
  match(piece: Buffer, matched: number): { ends: number[]; matched: number } {
    const ends: number[] = []
    for (let at = 0; at < piece.length; at += 1) {
      // In the last bytes the prefix itself may have been cut.
      if (matched === 0 && at + prefixBytes <= piece.length) {
        const next = piece.indexOf(this.#prefix, at)
        at = next === -1 ? piece.length - prefixBytes + 1 : next
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
