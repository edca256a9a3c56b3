import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Secrets } from './secrets.ts'
import type { Settings, StoreUrls } from './settings.ts'

/** Allowed, because an embedded gateway is often tried with a provider on this machine or network. */
const privateNetworks = '127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,::1/128,fc00::/7'

/** Seconds for running requests when the stack stops. Short, because a user is waiting. */
const drainSeconds = '5'

/** Settings that the operator's commands read, too: what new accounts get, and whether mails are sent. */
const ofCommands = ['PROVIDER_BASE_URL', 'PLAN_LIMITS', 'PUBLIC_URL', 'SMTP_URL']

/** The environment of every process of the stack. Variables that the user set come first. */
export function servicesEnvironment(
  { dataDir, logLevel, env }: Settings,
  urls: Partial<StoreUrls>,
  secrets: Secrets,
): Record<string, string | undefined> {
  return {
    DATA_DIR: dataDir,
    LOG_LEVEL: logLevel,
    POSTGRES_URL: urls.postgresUrl,
    REDIS_STATE_URL: urls.redisStateUrl,
    REDIS_QUEUE_URL: urls.redisQueueUrl,
    QUEUE_SHARDS: env['QUEUE_SHARDS'],
    CLICKHOUSE_URL: urls.clickhouseUrl,
    MASTER_KEYS: env['MASTER_KEYS'] || secrets.masterKeys,
    SESSION_SECRET: env['SESSION_SECRET'] || secrets.sessionSecret,
    UPSTREAM_ALLOW_CIDRS: env['UPSTREAM_ALLOW_CIDRS'] || privateNetworks,
    DRAIN_SECONDS: env['DRAIN_SECONDS'] || drainSeconds,
    ...Object.fromEntries(ofCommands.map((name) => [name, env[name]])),
  }
}

/** In such a file, `#` begins a comment outside of quotes. */
const quoted = (value: string) => (value.includes("'") ? `"${value}"` : `'${value}'`)

/** Writes the file that tells the operator's commands how to reach the stores of a running stack. */
export async function writeServicesEnvironment(
  dataDir: string,
  env: Record<string, string | undefined>,
): Promise<void> {
  const lines = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quoted(value)}\n`],
  )
  await writeFile(join(dataDir, 'services.env'), lines.join(''), { mode: 0o600 })
}
