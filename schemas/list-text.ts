/** Joins a list with commas, and escapes each comma and backslash of a value with a backslash. */
export const joinList = (values: readonly string[], separator = ','): string =>
  values.map((value) => value.replace(/[\\,]/g, String.raw`\$&`)).join(separator)

/** @returns at least one value. The expression matches the comma first, so that the time is linear in the length. */
export const splitList = (text: string): string[] =>
  text.split(/,(?<=(?<!\\)(?:\\\\)*,)/).map((value) => value.replace(/\\([\\,])/g, '$1'))
