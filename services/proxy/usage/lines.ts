export const [newline, carriageReturn] = [0x0a, 0x0d]

/** @returns the position of the byte that ends a line, LF or CR; the length of the bytes when none does */
export function lineEnd(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== newline && bytes[at] !== carriageReturn) at += 1
  return at
}

/** @param at position of an LF or a CR @returns the position of the next line: behind both of a CR LF */
export const nextLine = (bytes: Buffer, at: number): number =>
  bytes[at] === carriageReturn && bytes[at + 1] === newline ? at + 2 : at + 1
