/** Measures the web app of a running stack for `npm run bench -- screens`: prints each figure as a line of JSON. */
import { chromium } from '@playwright/test'
import { z } from 'zod'
import { chromiumArguments } from '#tools/test/chromium.ts'
import { measureFirstLoad } from './first-load.ts'
import { measureLargeBody } from './large-body.ts'
import { measureOpening } from './opening.ts'
import { createBench, type Phase } from './phase.ts'
import { measureRevisiting } from './revisiting.ts'
import { measureScrolling } from './scrolling.ts'

const phases: Record<string, Phase> = {
  open: measureOpening,
  revisit: measureRevisiting,
  scroll: measureScrolling,
  body: measureLargeBody,
  load: measureFirstLoad,
}

const settings = z
  .object({
    STACK_URL: z.url(),
    CHROMIUM: z.string(),
    ACCOUNT: z.string().transform((text): object => z.object({}).loose().parse(JSON.parse(text))),
    RUNS: z.coerce.number(),
    PHASES: z.string().optional(),
  })
  .parse(process.env)

const browser = await chromium.launch({
  executablePath: settings.CHROMIUM,
  args: chromiumArguments,
})
try {
  const bench = await createBench(browser, {
    url: settings.STACK_URL,
    runs: settings.RUNS,
    account: settings.ACCOUNT,
  })
  const wanted = settings.PHASES?.split(',')
  for (const [name, measure] of Object.entries(phases)) {
    if (wanted && !wanted.includes(name)) continue
    for (const figure of await measure(bench)) console.log(JSON.stringify(figure))
  }
} finally {
  await browser.close()
}
