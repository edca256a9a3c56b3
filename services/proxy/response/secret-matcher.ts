/** Shorter keys are placeholders for servers that need none, and may occur as ordinary words in a response. */
const shortestSecret = 16

/** Bytes are compared individually only where this much of the key was found. */
const prefixBytes = 4

export const isPlaceholder = (secret: string): boolean => secret.length < shortestSecret

export const asterisk = 0x2a

/** Finds a provider's key in chunked bytes in linear time (Knuth-Morris-Pratt). */
export class SecretMatcher {
  readonly length: number
  readonly #secret: Buffer
  readonly #prefix: Buffer
  /** For each number of matched bytes, how many stay matched if the next byte differs. */
  readonly #fallbacks: Uint16Array

  private constructor(secret: Buffer) {
    this.length = secret.length
    this.#secret = secret
    this.#prefix = secret.subarray(0, prefixBytes)
    this.#fallbacks = fallbacksOf(secret)
  }

  /** @returns undefined for a placeholder */
  static of(secret: string): SecretMatcher | undefined {
    return isPlaceholder(secret) ? undefined : new SecretMatcher(Buffer.from(secret))
  }

  /**
   * @param matched how many bytes of the key immediately precede the piece
   * @returns where the key ends in the piece, and how many bytes of it are at the end of the piece
   */
  match(piece: Buffer, matched: number): { ends: number[]; matched: number } {
    const ends: number[] = []
    for (let at = 0; at < piece.length; at += 1) {
      // The last bytes may hold only part of the prefix.
      if (matched === 0 && at + prefixBytes <= piece.length) {
        const next = piece.indexOf(this.#prefix, at)
        at = next === -1 ? piece.length - prefixBytes + 1 : next
      }
      while (matched > 0 && piece[at] !== this.#secret[matched]) matched = this.#fallbacks[matched] ?? 0
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
    while (matched > 0 && secret[length - 1] !== secret[matched]) matched = fallbacks[matched] ?? 0
    if (secret[length - 1] === secret[matched]) matched += 1
    fallbacks[length] = matched
  }
  return fallbacks
}
