/** SQL for a value per grouping set of one column each, with `GROUP BY GROUPING SETS`. */
function ofSet(columns: Record<string, string>, pick: (name: string, column: string) => string, otherwise: string) {
  const sets = Object.entries(columns).map(([name, column]) => `grouping(${column}) = 0, ${pick(name, column)}, `)
  return sets.length > 0 ? `multiIf(${sets.join('')}${otherwise})` : otherwise
}

/** SQL for the name of the column that a row is grouped by. @param columns by name */
export const groupedName = (columns: Record<string, string>, otherwise: string) =>
  ofSet(columns, (name) => `'${name}'`, `'${otherwise}'`)

/** SQL for the value that a row is grouped by, as text. @param columns by name */
export const groupedValue = (columns: Record<string, string>) =>
  ofSet(columns, (_name, column) => `toString(${column})`, "''")
