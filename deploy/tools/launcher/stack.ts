import { root } from '#tools/root.ts'
import { banner } from './banner.ts'
import { servicesEnvironment, writeServicesEnvironment } from './environment.ts'
import { findFreePort } from '#tools/process/free-port.ts'
import { formatLogLine } from './format-log-line.ts'
import { checkPort } from './port-check.ts'
import type { Progress } from '#tools/process/progress.js'
import { loadSecrets } from './secrets.ts'
import { describeServices } from './services.ts'
import { localUrl, type Settings } from './settings.ts'
import { startStores } from './stores/stores.ts'
import { stage, type Supervisor } from '#tools/process/supervisor.ts'
import { describeViteServer } from './web/vite-server.ts'
import { buildWeb, webIsStale } from './web/web-build.ts'

interface StackOptions {
  settings: Settings
  supervisor: Supervisor
  progress: Progress
  isDev: boolean
  isDemo: boolean
  /** Stops the demo's traffic. */
  stopSignal: AbortSignal
}

/**
 * Starts everything in order.
 * @returns the text to show to the user
 */
export async function startStack({
  settings,
  supervisor,
  progress,
  isDev,
  isDemo,
  stopSignal,
}: StackOptions): Promise<string> {
  await checkPort(settings)
  const secrets = await loadSecrets(settings.dataDir)
  const gatewayUrl = localUrl(settings)
  // Imported only for a demo, because it uses 30 MB while the stack runs.
  const { prepareDemo } = isDemo ? await import('./demo/demo.ts') : {}
  const demo = await prepareDemo?.(settings.dataDir, secrets, gatewayUrl)
  const isStale = !isDev && webIsStale(root)
  const [urls] = await Promise.all([
    startStores(supervisor, progress, settings, secrets),
    isStale && progress.step('Web app', () => buildWeb(root, supervisor.run)),
  ])
  const apiPort = await findFreePort({ exclude: [settings.port] })
  const environment = servicesEnvironment(settings, urls, secrets)
  await writeServicesEnvironment(settings.dataDir, environment)
  const services = describeServices({
    root,
    settings,
    environment: { ...environment, ...demo?.environment },
    apiPort,
    watch: isDev,
    onLine: (role, line) => progress.print(formatLogLine(role, line)),
  })
  // Only one process at a time can open chDB, so the migrations must finish first.
  await progress.step('Migrations', () => supervisor.run(services.migrate))
  // The public port opens last, once everything else is ready.
  await progress.step('Services', async () => {
    await supervisor.start(services.api, stage.services)
    await supervisor.start(services.proxy, stage.entry)
  })
  await demo?.start({ supervisor, progress, urls, stopSignal })
  let url = gatewayUrl
  if (isDev) {
    const vite = await describeViteServer(gatewayUrl)
    await progress.step('Vite', () => supervisor.start(vite.daemon, stage.entry))
    url = vite.url
  }
  return banner({ url, gatewayUrl, registration: settings.registration }) + (demo?.announcement ?? '')
}
