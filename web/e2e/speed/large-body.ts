import { openPage } from '../support/assertions.ts'
import { type Phase, atMost } from './phase.ts'
import { shownAfterClick } from './shown-after-click.ts'

const bodyBytes = 5_000_000

declare global {
  interface Window {
    /** Duration of each long task, ms. */
    longTasks: number[]
  }
}

/** Opens a log whose response is as large as they get, and shows it raw. */
export const measureLargeBody: Phase = async ({ url, runs, open }) => {
  const shown: number[] = []
  const longest: number[] = []
  const body = embeddings()
  for (let run = 0; run < runs; run += 1) {
    const context = await open('analyst')
    const page = await context.newPage()
    await page.addInitScript(() => {
      window.longTasks = []
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) window.longTasks.push(duration)
      }).observe({ type: 'longtask' })
    })
    await page.route(/\/api\/logs\/[0-9a-f-]{36}$/, async (route) => {
      const response = await route.fetch()
      const log: object = await response.json()
      await route.fulfill({ json: { ...log, responseBody: body } })
    })
    await openPage(page, `${url}/request-logs`)
    await page.getByRole('button', { name: 'View details' }).first().waitFor()
    await page.evaluate(() => window.longTasks.splice(0))
    await page.getByRole('button', { name: 'View details' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Latency').waitFor()
    const text = { selector: '[aria-label="response body"] pre', text: '' }
    shown.push(await shownAfterClick(page, dialog.getByRole('tab', { name: 'Response' }), text))
    await dialog.getByText('Raw', { exact: true }).click()
    await page.waitForTimeout(500)
    longest.push(Math.max(0, ...(await page.evaluate(() => window.longTasks))))
    await context.close()
  }
  return [
    { name: 'a body of 5 MB after the click, ms', digits: 0, values: shown },
    { name: 'longest task while it is opened, ms', digits: 0, goal: atMost(200), values: longest },
  ]
}

/** A body of many short lines once formatted, which are harder to show than one long text. */
function embeddings(): string {
  const vector = Array.from({ length: 1_536 }, (_, index) => Math.sin(index) / 10)
  const item = JSON.stringify({ object: 'embedding', index: 0, embedding: vector })
  return `{"object":"list","data":[${Array.from({ length: Math.ceil(bodyBytes / item.length) }, () => item).join(',')}]}`
}
