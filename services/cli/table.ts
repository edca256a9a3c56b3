/** Rows under their headings, in columns as wide as they need. Nothing in a cell can steer a terminal. */
export function formatTable(rows: readonly Record<string, string>[]): string {
  const [first] = rows
  if (!first) return '(none)'
  const headings = Object.keys(first)
  const lines = [headings, ...rows.map((row) => headings.map((heading) => inert(row[heading] ?? '')))]
  const widths = headings.map((_heading, at) => Math.max(...lines.map((line) => line[at]!.length)))
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const inert = (text: string) => text.replaceAll(/\p{C}/gu, '?')
