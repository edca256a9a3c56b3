import { proxyMemory, workerMemory } from '#deploy/docker/process-memory.ts'
import type { Command, Daemon } from '#tools/process/child.ts'
import { scriptCommand } from '#tools/process/script-daemon.ts'
import { localUrl, type Settings } from './settings.ts'
import { serviceStopMs } from '#tools/process/stop-time.ts'
import { isOk } from '#tools/process/is-ok.ts'

interface ServiceOptions {
  root: string
  settings: Settings
  environment: NodeJS.ProcessEnv
  apiPort: number
  /** Restart when a source file changes. */
  watch: boolean
  onLine: (role: string, line: string) => void
}

export function describeServices({ root, settings, environment, apiPort, watch, onLine }: ServiceOptions) {
  const command = (name: string, script: string, changes: NodeJS.ProcessEnv): Command => ({
    name,
    ...scriptCommand(script, [], root),
    env: { ...settings.env, ...environment, ...changes },
  })
  const service = (name: string, host: string, port: number, changes: NodeJS.ProcessEnv): Daemon => {
    const described = command(name, 'services/main.ts', { HOST: host, PORT: String(port), ...changes })
    return {
      ...described,
      args: watch ? ['--watch', ...described.args] : described.args,
      onLine: (line) => onLine(name, line),
      ready: () => isOk(`${localUrl({ host, port })}/readyz`, 1_000),
      // A store may be unavailable for longer than a service takes to start, and a proxy works without most stores.
      readyAgain: () => isOk(`${localUrl({ host, port })}/healthz`, 1_000),
      readyWithinMs: 60_000,
      stopSignal: 'SIGTERM',
      stopWithinMs: serviceStopMs({ ...settings.env, ...environment }),
    }
  }
  const apiHost = '127.0.0.1'
  const proxy = service('proxy', settings.host, settings.port, {
    ...proxyMemory,
    ROLES: 'proxy',
    API_URL: localUrl({ host: apiHost, port: apiPort }),
  })
  const metricsPort = Number(settings.env['METRICS_PORT'] || 0)
  return {
    migrate: command('migrate', 'services/migrate.ts', { PROXY_PROCESSES: '' }),
    api: service('api,worker', apiHost, apiPort, {
      ...workerMemory,
      ROLES: 'api,worker',
      PROXY_PROCESSES: '',
      // The proxy in front forwards the client's address.
      TRUSTED_PROXIES: apiHost,
      // Forwarded requests keep the proxy's host name.
      ALLOWED_HOSTS: [settings.env['ALLOWED_HOSTS'], new URL(localUrl(settings)).hostname].filter(Boolean).join(','),
      METRICS_PORT: metricsPort ? String(metricsPort + 1) : '',
      // Up to four concurrent chDB queries hold a thread each; file access and password hashes need some too.
      UV_THREADPOOL_SIZE: '8',
    }),
    proxy,
  }
}
