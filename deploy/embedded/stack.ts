import { join } from 'node:path'
import getPort from 'get-port'
import { banner } from './banner.ts'
import { formatLogLine } from './log-line.ts'
import { checkPort } from './port-check.ts'
import type { Progress } from './progress.js'
import { loadSecrets } from './secrets.ts'
import { describeServices } from './services.ts'
import { localUrl, type Settings } from './settings.ts'
import { startStores } from './stores.ts'
import { stage, type Supervisor } from './supervisor.ts'
import { describeViteServer } from './vite-server.ts'
import { buildWeb, webIsStale } from './web-build.ts'

const root = join(import.meta.dirname, '../..')

interface StackOptions {
  settings: Settings
  supervisor: Supervisor
  progress: Progress
  isDev: boolean
  isDemo: boolean
}

/**
 * Brings everything up in order.
 * @returns what to tell the person who started it
 */
export async function startStack({ settings, supervisor, progress, isDev }: StackOptions): Promise<string> {
  await checkPort(settings)
  const secrets = await loadSecrets(settings.dataDir)
  const web = (async () => {
    if (!isDev && (await webIsStale(root))) await progress.step('Web app', () => buildWeb(root, supervisor.run))
  })()
  // Waited for below; until then a failure is not unhandled.
  web.catch(() => {})
  const urls = await startStores(supervisor, progress, settings, secrets)
  const apiPort = await getPort({ host: '127.0.0.1', exclude: [settings.port] })
  const services = describeServices({
    root,
    settings,
    urls,
    secrets,
    apiPort,
    watch: isDev,
    onLine: (role, line) => progress.print(formatLogLine(role, line)),
  })
  // chDB takes one process at a time, so this one has to end before the next one opens it.
  await progress.step('Migrations', () => supervisor.run(services.migrate))
  await web
  // The public port opens last: what can be reached is complete.
  await progress.step('Services', async () => {
    await supervisor.start(services.api, stage.services)
    await supervisor.start(services.proxy, stage.entry)
  })
  let url = localUrl(settings)
  if (isDev) {
    const vite = await describeViteServer(root, url)
    await progress.step('Vite', () => supervisor.start(vite.daemon, stage.entry))
    url = vite.url
  }
  return banner({ url, gatewayUrl: localUrl(settings) })
}
