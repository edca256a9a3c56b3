import { root } from '#tools/root.ts'
import { join } from 'node:path'
import { findChromium } from '#tools/test/chromium.ts'
import type { Part } from './part.ts'
import { parseJson } from '#schemas/parse-json.ts'
import { percentile } from '#tools/load/percentile.ts'
import { machineLine, markdownTable, type Row, round, yesOrNo } from '#tools/load/report.ts'
import { Figure } from './screens/figure.ts'
import { analyst, startFilledStack } from './screens/filled-stack.ts'
import { writeMeasured } from './write-measured.ts'

const measureProgram = join(root, 'web/e2e/speed/main.ts')

/** Measures the web app in Chromium with a long history: from a click to the frame that shows its result. */
export const screensPart: Part = async (context) => {
  const { progress, supervisor, options } = context
  const chromium = await findChromium(supervisor.run)
  const url = await startFilledStack(context)
  const figures: Figure[] = []
  await progress.step('Chromium', () =>
    supervisor.run({
      name: 'measurement',
      command: process.execPath,
      args: [measureProgram],
      env: {
        ...process.env,
        STACK_URL: url,
        CHROMIUM: chromium,
        ACCOUNT: JSON.stringify(analyst),
        RUNS: String(options.runs),
        PHASES: options.phases?.join(','),
      },
      onLine: (line) => {
        const figure = Figure.safeParse(parseJson(line))
        if (figure.success) figures.push(figure.data)
      },
    }),
  )
  const text = [
    `${options.rows.toLocaleString('en')} rows, every fifth of them of the account that looks; ${options.runs} runs:`,
    markdownTable(['Figure', 'goal', 'median', 'p95 (frames/s: p5)', 'met'], figures.map(rowOf)),
    `${machineLine()}. Chromium, gateway and stores share the machine; the pointer reaches a link as it is clicked.`,
  ].join('\n\n')
  progress.print(`\n${text}\n`)
  if (options.write) progress.print(await writeMeasured('screens', text))
}

/** A goal is met if 95 of 100 runs meet it, rounded to the digits shown. */
function rowOf({ name, digits, goal, values }: Figure): Row {
  const isLowBad = goal?.is === 'at least'
  const rounded = (part: number) => Number(percentile(values, part).toFixed(digits))
  const [median, worst] = [rounded(0.5), rounded(isLowBad ? 0.05 : 0.95)]
  const isMet = goal && (isLowBad ? worst >= goal.value : worst <= goal.value)
  const wanted = goal && `${goal.is} ${goal.value.toLocaleString('en')}`
  return [name, wanted, round(median, digits), round(worst, digits), yesOrNo(isMet)]
}
