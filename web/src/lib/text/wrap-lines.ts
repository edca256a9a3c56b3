type WrappedLines = { count: number; line: (index: number) => string }

/**
 * Cuts a text into lines of at most `columns` UTF-16 units, so that each is one row of the same height. Surrogate pairs
 * are never split. Only positions are kept, not the lines.
 */
export function wrapLines(text: string, columns: number): WrappedLines {
  const starts: number[] = []
  const ends: number[] = []
  for (let lineStart = 0; lineStart <= text.length;) {
    const newline = text.indexOf('\n', lineStart)
    const lineEnd = newline === -1 ? text.length : newline
    let start = lineStart
    do {
      let end = Math.min(start + columns, lineEnd)
      if (end < lineEnd && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1
      starts.push(start)
      ends.push(end)
      start = end
    } while (start < lineEnd)
    lineStart = lineEnd + 1
  }
  return { count: starts.length, line: (index) => text.slice(starts[index], ends[index]) }
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
