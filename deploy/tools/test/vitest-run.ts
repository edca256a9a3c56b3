import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { CommandResult, RunCommand, StepResult } from './step.ts'

const Report = z.object({ numPassedTests: z.number(), numFailedTests: z.number() })

/** Runs one vitest project. @param filters parts of file names, to run only those */
export async function runVitest(run: RunCommand, project: string, filters: string[]): Promise<StepResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-vitest-'))
  try {
    const report = join(folder, 'report.json')
    const result = await run('node', [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config=deploy/tools/test/vitest.config.ts',
      `--project=${project}`,
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...filters,
    ])
    return count(result, await readFile(report, 'utf8').catch(() => ''))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A file that can't be loaded has no tests to count, but it is a failure all the same. */
function count({ succeeded, output }: CommandResult, report: string): StepResult {
  const { numPassedTests: passed, numFailedTests: failed } = report
    ? Report.parse(JSON.parse(report))
    : { numPassedTests: 0, numFailedTests: 0 }
  return { passed, failed: succeeded ? failed : Math.max(failed, 1), output }
}
