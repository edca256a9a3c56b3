export const [newline, carriageReturn] = [0x0a, 0x0d]

/**
 * @param hasReturns whether a line may end with a CR; if not, the search is native
 * @returns the position of the LF or CR that ends the line; the length of the bytes if there is none
 */
export function lineEnd(bytes: Buffer, from: number, hasReturns: boolean): number {
  // A native call for each empty line would cost far more.
  if (bytes[from] === newline) return from
  if (!hasReturns) {
    const end = bytes.indexOf(newline, from)
    return end === -1 ? bytes.length : end
  }
  let at = from
  while (at < bytes.length && bytes[at] !== newline && bytes[at] !== carriageReturn) at += 1
  return at
}

/** @param at position of an LF or a CR @returns the position of the next line, after both bytes of a CR LF */
export const nextLine = (bytes: Buffer, at: number): number =>
  bytes[at] === carriageReturn && bytes[at + 1] === newline ? at + 2 : at + 1
