import type { AddressInfo, Server } from 'node:net'
import type { TestProject } from 'vitest/node'
import { createSupervisor } from '#tools/process/supervisor.ts'
import { createFakePayPal, type FakePayPal } from '#tools/fake-paypal/server.ts'
import { createProvider, type Provider } from '#tools/sample-provider/provider.ts'
import { findChromium } from './chromium.ts'
import { addOperator } from '#tools/stack/operator.ts'
import { type StackProcess, startStack } from '#tools/stack/launched-stack.ts'

export interface BrowserContext {
  /** Where the stack serves. */
  stackUrl: string
  /** The sample provider, which is the upstream of every new account; its keys start with `sk-`. */
  providerUrl: string
  chromiumPath: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    browser: BrowserContext
  }
}

let stack: StackProcess | undefined
let provider: Provider | undefined
let paypal: FakePayPal | undefined

/** Starts what the browser tests walk through: the sample provider and the whole embedded stack in front of it. */
export async function setup(project: TestProject): Promise<void> {
  const chromiumPath = await findChromium(createSupervisor().run)
  provider = createProvider()
  await provider.listen({ host: '127.0.0.1', port: 0 })
  const providerUrl = urlOf(provider.server)
  paypal = createFakePayPal()
  await paypal.app.listen({ host: '127.0.0.1', port: 0 })
  stack = await startStack({
    env: {
      PROVIDER_BASE_URL: providerUrl,
      PAYPAL_CLIENT_ID: 'stand-in-client',
      PAYPAL_CLIENT_SECRET: 'stand-in-secret',
      PAYPAL_API_URL: urlOf(paypal.app.server),
    },
  })
  await addOperator(stack)
  project.provide('browser', { stackUrl: stack.url, providerUrl, chromiumPath })
}

export async function teardown(): Promise<void> {
  await stack?.stop()
  await provider?.close()
  await paypal?.app.close()
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
