import { openPage } from '../support/assertions.ts'
import { type Phase, atMost } from './phase.ts'
import { shownAfterClick, type ShownText } from './shown-after-click.ts'

const titles = {
  'API Keys': 'API Keys',
  'Secure Tokens': 'Secure Tokens',
  'Proxy Config': 'Proxy Configuration',
  'Request Logs': 'Request Logs',
  Analytics: 'Analytics',
  Alerts: 'Alerts',
  Dashboard: 'Dashboard',
}

const marked = (link: string): ShownText => ({ selector: 'a[aria-current=page]', text: link })
const complete = (title: string): ShownText => ({ selector: 'main:not(:has([aria-busy=true])) h1', text: title })

/** Cycles through screens whose data the tab already has. */
export const measureRevisiting: Phase = async ({ url, runs, open }) => {
  const effects: number[] = []
  const completions: number[] = []
  const context = await open('analyst')
  const page = await context.newPage()
  await openPage(page, url)

  async function goRound(shownAs: (link: string, title: string) => ShownText, times: number[]) {
    for (const [link, title] of Object.entries(titles)) {
      const target = page.getByRole('link', { name: link, exact: true })
      times.push(await shownAfterClick(page, target, shownAs(link, title)))
      await page.locator('main:not(:has([aria-busy=true])) h1').getByText(title).waitFor()
    }
  }

  // The first round fetches the data.
  await goRound((_link, title) => complete(title), [])
  for (let run = 0; run < runs; run += 1) {
    await goRound((link) => marked(link), effects)
    await goRound((_link, title) => complete(title), completions)
  }
  await context.close()
  return [
    { name: 'a link is marked after the click, ms', digits: 0, goal: atMost(50), values: effects },
    { name: 'a screen that was shown before, ms', digits: 0, goal: atMost(100), values: completions },
  ]
}
