import { join } from 'node:path'
import getPort from 'get-port'
import type { Daemon } from '#tools/process/child.ts'

/** Serves the web app from its sources with hot reload, and forwards `/api` to the gateway. */
export async function describeViteServer(root: string, gatewayUrl: string): Promise<{ url: string; daemon: Daemon }> {
  const port = await getPort({ port: 5173, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    daemon: {
      name: 'Vite',
      command: process.execPath,
      args: [
        '--import',
        join(root, 'deploy/tools/process/exit-with-parent.js'),
        join(root, 'deploy/tools/launcher/web/vite-dev.ts'),
        String(port),
        gatewayUrl,
      ],
      cwd: root,
      ipc: true,
      ready: (output) => output.includes('ready'),
      readyWithinMs: 30_000,
      stopSignal: 'SIGTERM',
      stopWithinMs: 5_000,
    },
  }
}
