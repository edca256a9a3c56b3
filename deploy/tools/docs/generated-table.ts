/**
 * Replaces the table between the two markers of that name.
 * @throws Error when the document has no such markers
 */
export function withTable(
  text: string,
  name: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const begin = `<!-- ${name}: written by \`npm run docs\` -->`
  const end = `<!-- end of ${name} -->`
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`The document has no ${begin}`)
  // The formatter aligns the columns.
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `${before}${begin}\n\n${lines.join('\n')}\n\n${end}${after}`
}
