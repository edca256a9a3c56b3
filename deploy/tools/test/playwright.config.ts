import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { createSupervisor } from '#tools/process/supervisor.ts'
import { root } from '#tools/root.ts'
import { chromiumArguments, findChromium } from './chromium.ts'

export default defineConfig({
  projects: [
    { name: 'browser', testMatch: '*.spec.ts' },
    { name: 'screenshots', testMatch: 'screenshots.ts' },
  ],
  testDir: join(root, 'web/e2e'),
  outputDir: join(root, 'node_modules/.cache/playwright'),
  globalSetup: join(import.meta.dirname, 'browser-setup.ts'),
  workers: 2,
  timeout: 120_000,
  // Long enough for a busy machine.
  expect: { timeout: 15_000 },
  use: {
    actionTimeout: 15_000,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: {
      executablePath: await findChromium(createSupervisor().run),
      // Without optimized code, because a test closes its page before that pays.
      args: [...chromiumArguments, '--js-flags=--no-opt,--no-maglev'],
    },
  },
})
