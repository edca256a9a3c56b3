import { distance } from 'fastest-levenshtein'
import { secretVariables } from './secrets.ts'

/** Names that other products give to the same things. */
const elsewhere: Record<string, string> = {
  DATABASE_URL: 'POSTGRES_URL',
  REDIS_URL: 'REDIS_STATE_URL or REDIS_QUEUE_URL',
  CLICKHOUSE_HOST: 'CLICKHOUSE_URL',
  BASE_URL: 'PUBLIC_URL',
  NEXTAUTH_URL: 'PUBLIC_URL',
  ENCRYPTION_KEY: 'MASTER_KEYS',
  JWT_SECRET: 'SESSION_SECRET',
  HTTPS_PROXY: 'UPSTREAM_PROXY_URL',
}

/** How many letters may differ, so that short names of the system are no slips. */
const slips = (name: string) => (name.length < 7 ? 1 : 2)

/** A line for each variable that is not read, and looks as if it was meant to be; all of OpenTelemetry's do. */
export function describeUnknownNames(env: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  const names = [...known, ...secretVariables.map((name) => `${name}_FILE`)]
  return Object.keys(env).flatMap((name) => {
    if (names.includes(name) || !/^[A-Z][A-Z\d_]*$/.test(name)) return []
    const meant = suggest(name, names)
    if (meant !== undefined) return [`${name} is not read. Is ${meant} meant?`]
    return name.startsWith('OTEL_') ? [`${name} is not read.`] : []
  })
}

function suggest(name: string, known: readonly string[]): string | undefined {
  const own = name.replace(/^SALLYPORT_/, '')
  if (own !== name && known.includes(own)) return own
  return elsewhere[name] ?? known.find((other) => distance(name, other) <= slips(name))
}
