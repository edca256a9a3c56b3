import type { Page } from '@playwright/test'
import { openPage } from '../support/assertions.ts'
import { type Bench, type Phase, atMost } from './phase.ts'
import { shownAfterClick, type ShownText } from './shown-after-click.ts'

const pageShown = (from: number): ShownText => ({ selector: 'main footer', text: `Showing ${from}-` })
const chartsShown = (title: string): ShownText => ({ selector: 'main:has(.visx-area) h2', text: title })

/** Opens Request Logs and Analytics, each from a dashboard that has just been opened, so that nothing is cached. */
export const measureOpening: Phase = async (bench) => {
  const logs: number[] = []
  const nextPages: number[] = []
  const estimated: number[] = []
  const measured: number[] = []
  const context = await bench.open('analyst')
  const page = await context.newPage()
  for (let run = 0; run < bench.runs; run += 1) {
    await openDashboard(bench, page)
    logs.push(await shownAfterClick(page, page.getByRole('link', { name: 'Request Logs' }), pageShown(1)))
    for (const from of [21, 41]) {
      const next = page.getByRole('button', { name: 'Next page' })
      nextPages.push(await shownAfterClick(page, next, pageShown(from)))
    }
    await openDashboard(bench, page)
    const link = page.getByRole('link', { name: 'Analytics' })
    estimated.push(await shownAfterClick(page, link, chartsShown('Requests and errors per day')))
    const toMeasured = page.getByText('Measured', { exact: true })
    measured.push(await shownAfterClick(page, toMeasured, chartsShown('Status codes')))
  }
  await context.close()
  return [
    { name: 'Request Logs after the click, ms', digits: 0, goal: atMost(300), values: logs },
    { name: 'its next page, ms', digits: 0, goal: atMost(200), values: nextPages },
    { name: 'Analytics, Estimated, after the click, ms', digits: 0, goal: atMost(500), values: estimated },
    { name: 'Analytics, Measured, after the click, ms', digits: 0, goal: atMost(500), values: measured },
  ]
}

/** Opens the dashboard and waits until it is complete and idle. */
async function openDashboard({ url }: Bench, page: Page) {
  await openPage(page, url)
  await page.getByRole('textbox', { name: 'Body', exact: true }).waitFor()
  await page.waitForTimeout(1_000)
}
