import { createSupervisor } from '#tools/process/supervisor.ts'
import { findRedisServer } from '#tools/launcher/stores/redis.ts'
import { installClientPackages } from './client-packages.ts'
import { findChromium } from './chromium.ts'
import { type RunCommand, runPlaywright, runVitest, type StepResult } from './runners.ts'

export interface Step {
  name: string
  /** Slow work that can start while earlier steps run. It is called again, and awaited, before `run`. */
  prepare?(): Promise<void>
  run(filters: string[]): Promise<StepResult>
}

/** The steps of `npm test`, in order. */
export function listSteps(run: RunCommand): Step[] {
  const install = createSupervisor().run
  return [
    // First, because it generates the web app's route tree, which the next steps read.
    check('web-build', ['vite', 'build', 'web']),
    check('format', ['oxfmt', '--check', '.']),
    check('lint', ['oxlint']),
    check('dead-code', ['knip']),
    check('types', ['tsc', '-p', '.'], ['tsc', '-p', 'web']),
    { name: 'unit', run: (filters) => runVitest(run, 'unit', filters) },
    // Late, because its packages are installed during the earlier steps.
    { ...check('client-types', ['tsc', '-p', 'deploy/tools/clients']), prepare: installClientPackages },
    {
      name: 'integration',
      prepare: installClientPackages,
      async run(filters) {
        await findRedisServer(install)
        return runVitest(run, 'integration', filters)
      },
    },
    {
      name: 'browser',
      async run(filters) {
        await findChromium(install)
        return runPlaywright(run, filters)
      },
    },
  ]

  /** Creates a step whose commands together count as one test. */
  function check(name: string, ...commands: [string, ...string[]][]): Step {
    return {
      name,
      async run() {
        const results = await Promise.all(commands.map(([command, ...args]) => run(command, args)))
        const hasFailed = results.some(({ succeeded }) => !succeeded)
        const output = results.map((result) => result.output).join('\n')
        return { passed: hasFailed ? 0 : 1, failed: hasFailed ? 1 : 0, output }
      },
    }
  }
}
