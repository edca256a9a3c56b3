/** A value in a file; nothing where there is none. */
export const convert = <Result>(value: number | null = null, to: (value: number) => Result) =>
  value === null ? null : to(value)

/** A value in a table. */
export const show = (value: number | null | undefined, format: (value: number) => string) =>
  convert(value, format) ?? '–'
