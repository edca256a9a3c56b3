/**
 * Replaces the text between the two markers of that name.
 * @throws Error when the document has no such markers
 */
export function withGenerated(text: string, name: string, content: string): string {
  const begin = `<!-- ${name}: written by \`npm run docs\` -->`
  const end = `<!-- end of ${name} -->`
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`The document has no ${begin}`)
  return `${before}${begin}\n\n${content}\n\n${end}${after}`
}

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
