import getPort from 'get-port'
import type { Daemon } from '#tools/process/child.ts'
import { describeScript } from '#tools/process/script-daemon.ts'

/** Serves the web app from its sources with hot reload, and forwards `/api` to the gateway. */
export async function describeViteServer(gatewayUrl: string): Promise<{ url: string; daemon: Daemon }> {
  const port = await getPort({ port: 5173, host: '127.0.0.1' })
  return {
    url: `http://127.0.0.1:${port}`,
    daemon: describeScript('Vite', ['deploy/tools/launcher/web/vite-dev.ts', String(port), gatewayUrl], 'ready'),
  }
}
