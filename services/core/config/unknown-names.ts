import { distance } from 'fastest-levenshtein'
import { secretVariables } from './secrets.ts'

/** Names of the same settings in other products. */
const elsewhere: Record<string, string> = {
  DATABASE_URL: 'POSTGRES_URL',
  REDIS_URL: 'REDIS_STATE_URL or REDIS_QUEUE_URL',
  CLICKHOUSE_HOST: 'CLICKHOUSE_URL',
  BASE_URL: 'PUBLIC_URL',
  NEXTAUTH_URL: 'PUBLIC_URL',
  ENCRYPTION_KEY: 'MASTER_KEYS',
  JWT_SECRET: 'SESSION_SECRET',
  HTTP_PROXY: 'UPSTREAM_PROXY_URL',
  HTTPS_PROXY: 'UPSTREAM_PROXY_URL',
  NO_PROXY: 'UPSTREAM_NO_PROXY',
}

/** Variables that Kubernetes sets in each container for a Service named `sallyport-…`, and the clients' token. */
const kubernetesNames = /_SERVICE_(?:HOST|PORT)|_PORT(?:_\d+_|$)|^SALLYPORT_TOKEN$/

/** How many letters may differ; fewer in short names, so that system variables are not reported. */
const slips = (name: string) => (name.length < 7 ? 1 : 2)

/** A line for each unread variable that looks as if it was meant to be read, such as other `OTEL_` names. */
export function describeUnknownNames(env: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  const names = [...known, ...secretVariables.map((name) => `${name}_FILE`)]
  return Object.keys(env).flatMap((name) => {
    if (names.includes(name) || !/^[A-Z][A-Z\d_]*$/.test(name)) return []
    const meant = suggest(name, names)
    if (meant !== undefined) return [`${name} is not read. Is ${meant} meant?`]
    return /^(?:OTEL|SALLYPORT)_/.test(name) && !kubernetesNames.test(name) ? [`${name} is not read.`] : []
  })
}

function suggest(name: string, known: readonly string[]): string | undefined {
  const own = name.replace(/^SALLYPORT_/, '')
  if (own !== name && known.includes(own)) return own
  const inText = name.replace(/_FILE$/, '')
  if (known.includes(inText)) return inText
  return elsewhere[own] ?? known.find((other) => distance(own, other) <= slips(own))
}
