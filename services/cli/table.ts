/** Rows under their headings, in columns as wide as needed. Control characters in cells never reach the terminal. */
export function formatTable(rows: readonly Record<string, string>[]): string {
  const [first] = rows
  if (!first) return '(none)'
  const columns = Object.keys(first).map((heading) => {
    const cells = [heading, ...rows.map((row) => (row[heading] ?? '').replaceAll(/\p{C}/gu, '?'))]
    const width = Math.max(...cells.map(({ length }) => length))
    return cells.map((cell) => cell.padEnd(width))
  })
  const lines = [first, ...rows].map((_row, at) => columns.map((cells) => cells[at]).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n')
}
