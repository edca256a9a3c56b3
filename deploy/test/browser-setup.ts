import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { createSupervisor } from '#deploy/embedded/supervisor.ts'
import { createProvider, type Provider } from '#deploy/provider/provider.ts'
import { findChromium } from './chromium.ts'
import { operatorName } from './operator-name.ts'
import { type StackProcess, startStack } from './stack.ts'

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

/** Starts what the browser tests walk through: the sample provider and the whole embedded stack in front of it. */
export async function setup(project: TestProject): Promise<void> {
  const chromiumPath = await findChromium(createSupervisor().run)
  provider = createProvider()
  await provider.listen({ host: '127.0.0.1', port: 0 })
  const providerUrl = `http://127.0.0.1:${(provider.server.address() as AddressInfo).port}`
  stack = await startStack({ env: { PROVIDER_BASE_URL: providerUrl, OPERATORS: operatorName } })
  project.provide('browser', { stackUrl: stack.url, providerUrl, chromiumPath })
}

export async function teardown(): Promise<void> {
  await stack?.stop()
  await provider?.close()
}
