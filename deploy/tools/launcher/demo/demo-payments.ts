import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import getPort from 'get-port'
import type { Daemon } from '#tools/process/child.ts'

const host = '127.0.0.1'

export interface DemoPayments {
  daemon: Daemon
  /** Environment variables of the services. */
  environment: Record<string, string>
  announcement: string
}

/** Describes a fake payment provider. @returns undefined when a real one is configured */
export async function describeDemoPayments(root: string, gatewayUrl: string): Promise<DemoPayments | undefined> {
  if (process.env['PAYPAL_CLIENT_ID']) return undefined
  const port = await getPort({ host, port: Number(process.env['PAYPAL_PORT'] || 4020) })
  const url = `http://${host}:${port}`
  const account = {
    PAYPAL_CLIENT_ID: 'demo',
    PAYPAL_CLIENT_SECRET: randomBytes(16).toString('hex'),
    PAYPAL_WEBHOOK_ID: 'demo',
  }
  return {
    environment: { ...account, PAYPAL_API_URL: url },
    announcement: `\n  Payments are played by ${url}: nobody's money moves.`,
    daemon: {
      name: 'Payment stand-in',
      command: process.execPath,
      args: [
        '--import',
        join(root, 'deploy/tools/process/exit-with-parent.js'),
        join(root, 'deploy/tools/fake-paypal/main.ts'),
      ],
      cwd: root,
      env: {
        ...process.env,
        ...account,
        PAYPAL_HOST: host,
        PAYPAL_PORT: String(port),
        PAYPAL_WEBHOOK_URL: `${gatewayUrl}/api/paypal/webhook`,
      },
      ipc: true,
      ready: (output) => output.some((line) => line.includes(url)),
      readyWithinMs: 30_000,
      stopSignal: 'SIGTERM',
      stopWithinMs: 5_000,
    },
  }
}
