import { root } from '#tools/root.ts'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { migratePostgres } from '#store/migrations.ts'
import { readSettings, type StoreUrls } from '#tools/launcher/settings.ts'
import { createDatabase } from './database.ts'
import { hasContainerEngine, startStoreContainers } from './store-containers.ts'

interface TestStoreUrls extends StoreUrls {
  /** Set if the role of `postgresUrl` may not create databases. */
  postgresAdminUrl?: string
  clickhouseTemplate?: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** `postgresTemplate`: the database with the newest schema, which test files copy. */
    stores: TestStoreUrls & { postgresTemplate: string }
  }
}

interface Stores {
  urls: TestStoreUrls
  stop(): Promise<void>
}

/**
 * Provides the stores of the integration tests: URLs from the environment, else containers, else the embedded ones. The
 * first project that needs them starts them for all.
 * @returns a function that stops them
 */
export default async function provideStores({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const shared = vitest.getRootProject()
  if ('stores' in shared.getProvidedContext()) return undefined
  const { given } = readSettings()
  const isGiven = given.postgresUrl && given.redisStateUrl && given.redisQueueUrl
  const stores = !isGiven && (await hasContainerEngine()) ? await startStoreContainers() : await startEmbeddedStores()
  const urls = { ...stores.urls, ...withoutUnset(given) }
  const template = await createDatabase(urls)
  await migratePostgres(template.sql, pino({ level: 'silent' }))
  await template.sql.end()
  shared.provide('stores', { ...urls, postgresTemplate: template.name })
  return async () => {
    await template.drop()
    await stores.stop()
  }
}

async function startEmbeddedStores(): Promise<Stores> {
  const child = fork(join(import.meta.dirname, 'embedded-stores.ts'), {
    execArgv: ['--import', join(root, 'deploy/tools/process/exit-with-parent.js')],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // In a separate process group, because it must clean up after a killed test run.
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
