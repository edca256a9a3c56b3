import { root } from '#tools/root.ts'
import { basename, join, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Long enough for a busy machine. */
const patience = { poll: { timeout: 10_000 } }

const takesLong = /^deploy\/|fuzz|client-ledger|process-group|query-edges|running-stack|startup|store-tls|worker\.int/
const rank = ({ moduleId }: TestSpecification) => (takesLong.test(relative(root, moduleId)) ? 0 : 1)
const name = ({ moduleId }: TestSpecification) => basename(moduleId)

/**
 * Starts the longest files first: a long one at the end would run alone. The others are mixed by their names, because
 * those of some folders mostly wait and those of others mostly compute.
 */
class LongestFirst extends BaseSequencer {
  override sort = async (files: TestSpecification[]) =>
    files.toSorted((a, b) => rank(a) - rank(b) || name(a).localeCompare(name(b)))
}

const integration = (folder: string, { isolate }: { isolate: boolean }) => ({
  root,
  test: {
    name: `integration-${folder}`,
    include: [`${folder}/**/*.int.test.ts`],
    isolate,
    globalSetup: join(import.meta.dirname, 'stores-setup.ts'),
    pool: 'forks' as const,
    // More than the cores of a small machine, because the tests often wait for processes and timers.
    maxWorkers: 4,
    // Node loads the modules, as in production: each process would otherwise get them from vitest, one by one.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 60_000,
    expect: patience,
    hookTimeout: 120_000,
  },
})

export default defineConfig({
  root,
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        root,
        test: {
          name: 'unit',
          // Most files take less time than starting a process. A file that replaces a module resets the others.
          isolate: false,
          maxWorkers: '100%',
          // Property tests are slow on a busy machine.
          testTimeout: 30_000,
          expect: patience,
          include: ['{schemas,services,deploy,web}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.int.test.ts', '**/node_modules/**', 'web/dist/**'],
        },
      },
      integration('deploy', { isolate: true }),
      // Most of these files take less time than loading the services. Each closes its chDB: a process opens one at a time.
      integration('services', { isolate: false }),
    ],
  },
})
