import { withGenerated } from './generated-part.ts'

/** Writes a table between the two markers of that name. */
export function withTable(
  text: string,
  name: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  // The formatter aligns the columns.
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return withGenerated(text, name, lines.join('\n'))
}
