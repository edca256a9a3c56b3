import { z } from 'zod'
import { secretVariables } from './secrets.ts'

type Issue = { path: PropertyKey[]; message: string }

/** A line for each missing or invalid variable: the value, unless it is a secret, and what was expected. */
export function describeIssues(
  issues: readonly Issue[],
  shape: Readonly<Record<string, z.ZodType>>,
  env: NodeJS.ProcessEnv,
): string[] {
  const lines = new Map<string, string>()
  for (const issue of issues) {
    const name = String(issue.path[0])
    if (!lines.has(name)) lines.set(name, describe(issue, shape[name], env[name]))
  }
  return [...lines.values()]
}

function describe({ path, message }: Issue, schema: z.ZodType | undefined, given: string | undefined): string {
  const name = String(path[0])
  const wanted = (schema && wantedBy(schema)) ?? ''
  if (given === undefined) return `${name}: is not set; expected ${wanted}`
  // A URL may contain credentials where none belong.
  const isSecret = secretVariables.includes(name) || /:\/\/.*@/s.test(given)
  const got = isSecret ? withoutSecret(given) : JSON.stringify(shorten(given))
  // Within JSON, the path and the message are more helpful.
  if (wanted.includes('JSON')) return `${path.map(String).join('.')}: got ${got}; ${message.replace(/\s+/g, ' ')}`
  return `${name}: got ${got}; expected ${wanted}`
}

/** The description of a value in services/core/config/values.ts. */
export const wantedBy = (schema: z.ZodType): string | undefined =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).description

const longest = 60

const shorten = (value: string) => (value.length > longest ? `${value.slice(0, longest)}…` : value)

/** The beginning of a URL usually shows what is wrong with it, and contains no password. */
const withoutSecret = (value: string) =>
  `${/^[a-z][a-z\d+.-]{0,20}:\/\//i.exec(value)?.[0] ?? ''}… (${value.length} characters)`
