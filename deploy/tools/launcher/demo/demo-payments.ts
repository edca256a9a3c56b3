import { randomBytes } from 'node:crypto'
import getPort from 'get-port'
import type { Daemon } from '#tools/process/child.ts'
import { describeScript } from '#tools/process/script-daemon.ts'

const host = '127.0.0.1'

interface DemoPayments {
  daemon: Daemon
  /** Environment variables of the services. */
  environment: Record<string, string>
  announcement: string
}

/** Describes a fake payment provider. @returns undefined when a real one is configured */
export async function describeDemoPayments(gatewayUrl: string): Promise<DemoPayments | undefined> {
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
    daemon: describeScript('Fake PayPal', ['deploy/tools/fake-paypal/main.ts'], url, {
      ...account,
      PAYPAL_HOST: host,
      PAYPAL_PORT: String(port),
      PAYPAL_WEBHOOK_URL: `${gatewayUrl}/api/paypal/webhook`,
    }),
  }
}
