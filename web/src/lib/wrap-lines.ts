/**
 * Cuts a text into lines of at most `columns` UTF-16 units, so that each is one row of the same height.
 * A pair of units that makes one character is never cut in half.
 */
export function wrapLines(text: string, columns: number): string[] {
  const rows: string[] = []
  for (const line of text.split('\n')) {
    let start = 0
    do {
      let end = start + columns
      if (end < line.length && isHighSurrogate(line.charCodeAt(end - 1))) end -= 1
      rows.push(line.slice(start, end))
      start = Math.max(end, start + 1)
    } while (start < line.length)
  }
  return rows
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
