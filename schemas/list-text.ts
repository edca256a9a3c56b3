/** A list as one text: commas between its values, and a backslash before each comma and backslash of a value. */
export const joinList = (values: readonly string[], separator = ','): string =>
  values.map((value) => value.replace(/[\\,]/g, String.raw`\$&`)).join(separator)

/** @returns at least one value. The comma is looked for first, so that the time is linear in the length. */
export const splitList = (text: string): string[] =>
  text.split(/,(?<=(?<!\\)(?:\\\\)*,)/).map((value) => value.replace(/\\([\\,])/g, '$1'))
