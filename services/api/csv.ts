/** A cell that a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t\r]/

/** RFC 4180, every cell quoted; what a spreadsheet could run gets an apostrophe in front. */
export function toCsvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

function toCell(value: string | number | boolean | null): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const text = formula.test(value.trimStart()) || formula.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""')}"`
}
