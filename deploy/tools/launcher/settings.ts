import { resolve } from 'node:path'
import { readSecretFiles } from '#core/config/secret-files.ts'
import { RegistrationMode } from '#schemas/registration.ts'
import { StartFailure } from '#tools/process/start-failure.ts'

/** The settings of the environment. An empty variable counts as unset, as in the services. */
export interface Settings {
  host: string
  port: number
  dataDir: string
  logLevel: string
  registration: RegistrationMode
  /** Stores that run elsewhere; the others are embedded. */
  given: Partial<StoreUrls>
  /** All variables, with the secrets of `*_FILE`. */
  env: NodeJS.ProcessEnv
}

export interface StoreUrls {
  postgresUrl: string
  redisStateUrl: string
  redisQueueUrl: string
  /** Without it, the services open chDB. */
  clickhouseUrl?: string | undefined
}

export function readSettings(variables: NodeJS.ProcessEnv = process.env): Settings {
  const { values: env, problems } = readSecretFiles(variables)
  if (problems.length > 0) throw new StartFailure(problems.join('\n'))
  const port = Number(env['PORT'] || 3000)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new StartFailure(`PORT has to be a number from 1 to 65535, not ${JSON.stringify(env['PORT'])}.`)
  return {
    env,
    port,
    host: env['HOST'] || '127.0.0.1',
    dataDir: resolve(env['DATA_DIR'] || '.data'),
    logLevel: env['LOG_LEVEL'] || 'warn',
    // The services report an invalid value.
    registration: RegistrationMode.catch('open').parse(env['REGISTRATION'] || 'open'),
    given: {
      postgresUrl: env['POSTGRES_URL'],
      redisStateUrl: env['REDIS_STATE_URL'],
      redisQueueUrl: env['REDIS_QUEUE_URL'],
      clickhouseUrl: env['CLICKHOUSE_URL'],
    },
  }
}

/** @returns the URL at which this machine reaches a server that listens on `host` */
export function localUrl({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
