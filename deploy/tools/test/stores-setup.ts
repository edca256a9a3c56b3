import { root } from '#tools/root.ts'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { readSettings, type StoreUrls } from '#tools/launcher/settings.ts'
import { hasContainerEngine, startStoreContainers } from './store-containers.ts'

export type TestStoreUrls = Omit<StoreUrls, 'clickhouseUrl'> &
  Partial<Pick<StoreUrls, 'clickhouseUrl'>> & {
    /** Where the role of `postgresUrl` may not make databases. */
    postgresAdminUrl?: string
  }

declare module 'vitest' {
  export interface ProvidedContext {
    stores: TestStoreUrls
  }
}

interface Stores {
  urls: TestStoreUrls
  stop(): Promise<void>
}

let stores: Stores | undefined

/** Gives the integration tests their stores: URLs of the environment, else containers, else the embedded ones. */
export async function setup(project: TestProject): Promise<void> {
  const { given } = readSettings()
  const isGiven = given.postgresUrl && given.redisStateUrl && given.redisQueueUrl
  stores = !isGiven && (await hasContainerEngine()) ? await startStoreContainers() : await startEmbeddedStores()
  project.provide('stores', { ...stores.urls, ...withoutUnset(given) })
}

export async function teardown(): Promise<void> {
  await stores?.stop()
}

async function startEmbeddedStores(): Promise<Stores> {
  const child = fork(join(import.meta.dirname, 'embedded-stores.ts'), {
    execArgv: ['--import', join(root, 'deploy/tools/process/exit-with-parent.js')],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // A group of its own: what kills the test run must leave it alive to clean up.
    detached: true,
  })
  const exited = once(child, 'exit')
  const [urls] = await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error('The embedded stores did not start; the reason is above.'))),
  ])
  return {
    urls: urls as TestStoreUrls,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

const withoutUnset = (urls: Partial<StoreUrls>): Partial<StoreUrls> =>
  Object.fromEntries(Object.entries(urls).filter(([, url]) => url))
