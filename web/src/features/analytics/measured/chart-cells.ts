/** Converts a value for export; a missing one becomes `null`. */
export const convert = <Result>(value: number | null = null, to: (value: number) => Result) =>
  value === null ? null : to(value)

/** Formats a value for a table. */
export const show = (value: number | null | undefined, format: (value: number) => string) =>
  convert(value, format) ?? '–'
