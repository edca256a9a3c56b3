/** @throws Error with `name` when the value is missing */
export function required<T>(value: T | null | undefined, name: string): T {
  if (value === undefined || value === null) throw new Error(`There is no ${name}.`)
  return value
}
