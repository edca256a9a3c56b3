import { join } from 'node:path'
import type { Command, Daemon } from './child.ts'
import type { Secrets } from './secrets.ts'
import { localUrl, type Settings, type StoreUrls } from './settings.ts'

/** A provider on this machine or in this network is what an embedded gateway is often tried with. */
const privateNetworks = '127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,::1/128,fc00::/7'

export interface ServiceOptions {
  root: string
  settings: Settings
  urls: Partial<StoreUrls>
  secrets: Secrets
  apiPort: number
  /** Start anew when a source file changes. */
  watch: boolean
  onLine: (role: string, line: string) => void
}

export function describeServices({ root, settings, urls, secrets, apiPort, watch, onLine }: ServiceOptions) {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DATA_DIR: settings.dataDir,
    LOG_LEVEL: settings.logLevel,
    POSTGRES_URL: urls.postgresUrl,
    REDIS_STATE_URL: urls.redisStateUrl,
    REDIS_QUEUE_URL: urls.redisQueueUrl,
    CLICKHOUSE_URL: urls.clickhouseUrl,
    MASTER_KEYS: process.env['MASTER_KEYS'] || secrets.masterKeys,
    SESSION_SECRET: process.env['SESSION_SECRET'] || secrets.sessionSecret,
    UPSTREAM_ALLOW_CIDRS: process.env['UPSTREAM_ALLOW_CIDRS'] || privateNetworks,
  }
  const command = (name: string, script: string, changes: NodeJS.ProcessEnv): Command => ({
    name,
    command: process.execPath,
    args: ['--import', join(root, 'deploy/embedded/exit-with-parent.js'), join(root, script)],
    cwd: root,
    env: { ...env, ...changes },
    ipc: true,
  })
  const service = (name: string, host: string, port: number, changes: NodeJS.ProcessEnv): Daemon => {
    const described = command(name, 'services/main.ts', { HOST: host, PORT: String(port), ...changes })
    return {
      ...described,
      args: watch ? ['--watch', ...described.args] : described.args,
      onLine: (line) => onLine(name, line),
      ready: () => isReady(`${localUrl({ host, port })}/readyz`),
      readyWithinMs: 30_000,
      stopSignal: 'SIGTERM',
      stopWithinMs: 8_000,
    }
  }
  const apiHost = '127.0.0.1'
  return {
    migrate: command('migrate', 'services/migrate.ts', {}),
    api: service('api,worker', apiHost, apiPort, { ROLES: 'api,worker' }),
    proxy: service('proxy', settings.host, settings.port, {
      ROLES: 'proxy',
      API_URL: localUrl({ host: apiHost, port: apiPort }),
    }),
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) })
    await answer.body?.cancel()
    return answer.status === 200
  } catch {
    return false
  }
}
