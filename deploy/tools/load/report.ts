import { cpus } from 'node:os'

export type Row = readonly (string | number | undefined)[]

/** A Markdown table; unknown cells contain a dash. */
export function markdownTable(head: readonly string[], rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.map((cell) => cell ?? '–').join(' | ')} |`
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

/** Rounds, with thousands separators. */
export function round(value: number | undefined, digits: number): string | undefined {
  return value?.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** Two figures in one cell. */
export function pair(one: number | undefined, other: number | undefined, digits: number): string | undefined {
  return one === undefined || other === undefined ? undefined : `${round(one, digits)} / ${round(other, digits)}`
}

/** Whether something was as wanted, if that is known. */
export const yesOrNo = (isMet: boolean | undefined): string | undefined =>
  isMet === undefined ? undefined : isMet ? 'yes' : 'no'

export function machineLine(): string {
  const all = cpus()
  const system = `${process.platform} ${process.arch}`
  return `Machine: ${all[0]?.model.trim() ?? 'unknown'}, ${all.length} cores, ${system}, Node ${process.version.slice(1)}`
}
