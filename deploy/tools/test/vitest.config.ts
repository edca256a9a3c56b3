import { root } from '#tools/root.ts'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const setup = (file: string) => join(import.meta.dirname, file)

/** What a test waits for is there sooner or later, on a busy machine later. */
const patience = { poll: { timeout: 10_000 } }

export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        test: {
          name: 'unit',
          // Property tests take their time on a busy machine.
          testTimeout: 30_000,
          expect: patience,
          include: ['{schemas,services,deploy,web}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.int.test.ts', '**/node_modules/**', 'web/dist/**'],
        },
      },
      {
        root,
        test: {
          name: 'integration',
          include: ['{schemas,services,deploy}/**/*.int.test.ts'],
          globalSetup: setup('stores-setup.ts'),
          // chDB takes one data directory a process, so every file gets a process of its own.
          pool: 'forks',
          isolate: true,
          // One more than cores on a small machine: they wait for processes to start, and for times to pass.
          maxWorkers: 3,
          testTimeout: 60_000,
          expect: patience,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
