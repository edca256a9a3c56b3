import { z } from 'zod'

const Ignored = z.array(z.string().max(40)).max(20)

/**
 * Reads the query of a link, each parameter by itself, so that an invalid one does not affect the others.
 * The names of the rejected ones are in `ignored`, which the screen shows.
 */
export function readSearch<Shape extends Readonly<Record<string, z.ZodType>>>(
  shape: Shape,
  raw: Record<string, unknown>,
): { [Name in keyof Shape]?: z.output<Shape[Name]> } & { ignored?: string[] } {
  const known: Record<string, unknown> = {}
  const rejected = new Set(Ignored.safeParse(raw.ignored).data)
  for (const [name, value] of Object.entries(raw)) {
    if (name === 'ignored' || value === undefined) continue
    const parsed = Object.hasOwn(shape, name) ? shape[name]?.safeParse(value) : undefined
    if (parsed?.success) known[name] = parsed.data
    else {
      // The router merges this into the raw query, so a parameter is removed only by name.
      known[name] = undefined
      rejected.add(name.slice(0, 40))
    }
  }
  if (rejected.size > 0) known.ignored = [...rejected].slice(0, 20)
  return known as { [Name in keyof Shape]?: z.output<Shape[Name]> } & { ignored?: string[] }
}

/** A state of a screen for its URL, where a missing parameter has its default. */
export const withoutDefaults = (search: object, defaults: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(search).filter(([name, value]) => value !== undefined && value !== defaults[name]))

/** A text of a query that JSON can read. `1e5` and numbers with many digits stay texts, because they would change. */
export function parseParameter(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return typeof value === 'number' || value === null ? text : value
}

/** A text from a query, where `?model=4` arrives as a number. */
export const exactText = (max: number) =>
  z.union([z.string(), z.number(), z.boolean()]).transform(String).pipe(z.string().min(1).max(max))

/** The same of a text that people type. */
export const searchText = (max: number) => exactText(max).pipe(z.string().trim().min(1))

/** Titles of the charts that are shown as tables. */
export const chartTables = z.array(z.string().min(1).max(99)).min(1).max(30)

/** For `validateSearch` of a screen that reads the query itself, so that its shape stays out of the first load. */
export const anySearch = (raw: Record<string, unknown>) => raw
