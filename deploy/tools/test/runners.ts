import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

interface CommandResult {
  succeeded: boolean
  /** Combined stdout and stderr. */
  output: string
}

/** Runs a command in the repository's root, with the packages' programs on its PATH. */
export type RunCommand = (command: string, args: string[], env?: NodeJS.ProcessEnv) => Promise<CommandResult>

export interface StepResult {
  passed: number
  failed: number
  /** Shown when something failed. */
  output: string
}

const VitestReport = z
  .object({ numPassedTests: z.number(), numFailedTests: z.number() })
  .transform(({ numPassedTests, numFailedTests }) => ({ passed: numPassedTests, failed: numFailedTests }))

const PlaywrightReport = z
  .object({ stats: z.object({ expected: z.number(), unexpected: z.number() }) })
  .transform(({ stats }) => ({ passed: stats.expected, failed: stats.unexpected }))

/** Runs the vitest projects whose names begin so. @param filters parts of file names, to run only matching files */
export const runVitest = (run: RunCommand, project: string, filters: string[]): Promise<StepResult> =>
  countIn(VitestReport, (report) =>
    run('node', [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config=deploy/tools/test/vitest.config.ts',
      `--project=${project}*`,
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...filters,
    ]),
  )

/** Runs the browser tests. @param filters parts of file names, to run only matching files */
export const runPlaywright = (run: RunCommand, filters: string[]): Promise<StepResult> =>
  countIn(PlaywrightReport, (report) =>
    run(
      'node',
      [
        'node_modules/@playwright/test/cli.js',
        'test',
        '--config=deploy/tools/test/playwright.config.ts',
        '--project=browser',
        '--pass-with-no-tests',
        '--reporter=list,json',
        ...filters,
      ],
      { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    ),
  )

/** Runs tests and counts them in the JSON report that the runner writes to a file. */
async function countIn(
  schema: z.ZodType<{ passed: number; failed: number }>,
  runTests: (reportFile: string) => Promise<CommandResult>,
): Promise<StepResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-tests-'))
  try {
    const file = join(folder, 'report.json')
    const { succeeded, output } = await runTests(file)
    const report = await readFile(file, 'utf8').catch(() => '')
    const { passed, failed } = report ? schema.parse(JSON.parse(report)) : { passed: 0, failed: 0 }
    // A file that can't be loaded has no tests to count, but it is still a failure.
    return { passed, failed: succeeded ? failed : Math.max(failed, 1), output }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
