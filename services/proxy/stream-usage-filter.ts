const newline = 0x0a
const carriageReturn = 0x0d

/** A frame beyond this is no event of a completion; it is passed on in pieces. */
const maxFrameBytes = 4 * 1_024 * 1_024

const nothing = Buffer.alloc(0)

/** Chunks say `"usage": null` only because we asked; the client did not, so it does not see that. */
const emptyUsage = /,\s*"usage"\s*:\s*null|"usage"\s*:\s*null\s*,/
const usageFrame = /"choices"\s*:\s*\[\s*\][\s\S]*"usage"\s*:\s*\{|"usage"\s*:\s*\{[\s\S]*"choices"\s*:\s*\[\s*\]/

/**
 * Takes out of a stream what is in it only because the gateway asked for usage. Frames go on as soon as they are
 * complete, byte for byte as they came, apart from that.
 */
export class StreamUsageFilter {
  /** The frame that held the usage, once it came. */
  usageFrame: string | undefined
  /** Pieces of a frame that has not ended; joined once, when it has. */
  #held: Buffer[] = []
  #heldBytes = 0

  /** @returns what the client gets of this chunk; may be empty */
  push(chunk: Buffer): Buffer {
    if (!this.#endsFrame(chunk)) return this.#hold(chunk)
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([...this.#held, chunk])
    const frames: Buffer[] = []
    let from = 0
    for (let end = frameEnd(bytes, from); end !== -1; end = frameEnd(bytes, from)) {
      const frame = this.#sift(bytes.subarray(from, end))
      if (frame) frames.push(frame)
      from = end
    }
    this.#held = from < bytes.length ? [bytes.subarray(from)] : []
    this.#heldBytes = bytes.length - from
    return frames.length === 1 ? frames[0]! : Buffer.concat(frames)
  }

  /** What is left when the provider ends the stream in the middle of a frame. */
  flush(): Buffer | undefined {
    return this.#held.length === 0 ? undefined : Buffer.concat(this.#held)
  }

  /** Looks at the new bytes and at what could be the beginning of a blank line in front of them, no further back. */
  #endsFrame(chunk: Buffer): boolean {
    const last = this.#held.at(-1)
    if (!last) return frameEnd(chunk, 0) !== -1
    const before = last.length === 1 ? (this.#held.at(-2)?.subarray(-1) ?? nothing) : nothing
    return frameEnd(Buffer.concat([before, last.subarray(-2), chunk]), 0) !== -1
  }

  #hold(chunk: Buffer): Buffer {
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (this.#heldBytes <= maxFrameBytes) return nothing
    const pieces = Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    return pieces
  }

  #sift(frame: Buffer): Buffer | undefined {
    if (!frame.includes('"usage"')) return frame
    // latin1 keeps every byte as it is, whatever the text around it is.
    const text = frame.toString('latin1')
    if (emptyUsage.test(text)) return Buffer.from(text.replace(emptyUsage, ''), 'latin1')
    if (!usageFrame.test(text)) return frame
    this.usageFrame = text
    return undefined
  }
}

/** Position after the blank line that ends a frame, with either kind of line break. */
function frameEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(newline, from); at !== -1; at = bytes.indexOf(newline, at + 1)) {
    const next = bytes[at + 1] === carriageReturn ? at + 2 : at + 1
    if (bytes[next] === newline) return next + 1
  }
  return -1
}
