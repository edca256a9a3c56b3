/** `npm test` runs all steps, or those given: `npm test -- unit lint`, `npm test -- integration request-logs`. */
import { root } from '#tools/root.ts'
import { execa } from 'execa'
import { createProgress } from '#tools/process/progress.js'
import { StartFailure } from '#tools/process/start-failure.ts'
import { keepFilesInMemory } from './memory-folder.ts'
import type { RunCommand, StepResult } from './runners.ts'
import { listSteps, type Step } from './steps.ts'

const progress = createProgress()
const totals = { passed: 0, failed: 0 }
const inMemory = keepFilesInMemory()

const run: RunCommand = async (command, args, env) => {
  const result = await execa(command, args, {
    cwd: root,
    all: true,
    reject: false,
    preferLocal: true,
    localDir: root,
    stdin: 'ignore',
    env: {
      ...inMemory,
      ...env,
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
    },
  })
  return { succeeded: !result.failed, output: String(result.all || result.message || '') }
}

const all = listSteps(run)
const named = process.argv.slice(2)
const chosen = all.filter(({ name }) => named.includes(name))
const filters = named.filter((argument) => !all.some(({ name }) => name === argument))
if (chosen.length === 0 && filters.length > 0) {
  console.error(`There is no step "${filters[0]}". Steps: ${all.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}

const steps = chosen.length > 0 ? chosen : all
// A step whose preparation failed reports it once it is its turn.
for (const step of steps) step.prepare?.().catch(() => undefined)
for (const step of steps) await show(step)
console.log(`\n${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed > 0 ? 1 : 0)

async function show(step: Step): Promise<void> {
  let result: StepResult = { passed: 0, failed: 1, output: '' }
  try {
    await progress.step(step.name, async () => {
      result = await prepareAndRun(step).catch(asFailure)
      if (result.failed > 0) throw new Error('shown as failed')
    })
  } catch {
    console.log(`\n${result.output.trimEnd()}\n`)
  }
  totals.passed += result.passed
  totals.failed += result.failed
}

async function prepareAndRun(step: Step): Promise<StepResult> {
  await step.prepare?.()
  return step.run(filters)
}

/** A step that fails in its setup counts as one failure; the next steps still run. */
function asFailure(error: Error): StepResult {
  return {
    passed: 0,
    failed: 1,
    output: error instanceof StartFailure ? error.message : (error.stack ?? error.message),
  }
}
