import { expect } from 'vitest'
import { answer, fail, failureText, see, seeToast, settles, watchCalls } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'
import { blindPipeline, busyPipeline, deadLetter, deadLetterDetails } from './pipeline-fixtures.ts'

const letterPath = `/api/pipeline/dead-letters/${deadLetter.id}`

export const pipelineRows = checklist('Log Pipeline', { as: 'operator', path: '/pipeline' }, [
  [
    'opened by an operator',
    'equation, readings, proxies, workers and dead letters of the stack that runs',
    'architecture, Log pipeline',
    async ({ page }) => {
      await see(page, 'Log Pipeline', 'accepted', 'stored', 'queued', 'spooled', 'dead', 'Queue depth', 'Oldest event')
      await see(page, 'Ingest lag, p95', 'Proxies', 'Workers', 'Insert time, p50', 'Reports', 'No dead letters')
      await page.getByText(/^Complete up to /).waitFor()
    },
  ],
  [
    'the Dashboard of an operator',
    'its status card leads to the page, as the navigation and the command palette do',
    'decisions, Screens',
    async ({ page }) => {
      const navigation = page.getByRole('navigation', { name: 'Main' })
      expect(await navigation.getByRole('link').last().textContent()).toBe('Log Pipeline')
      await page.getByRole('main').getByRole('link', { name: 'Log Pipeline' }).click()
      await page.waitForURL('**/pipeline')
      await navigation.locator('[aria-current=page]').getByText('Log Pipeline').waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('option', { name: 'Log Pipeline' }).waitFor()
    },
    { path: '/' },
  ],
  [
    'the Dashboard of anybody else',
    'says nothing of it and asks for nothing',
    'decisions, Screens',
    async ({ page }) => {
      const calls = watchCalls(page)
      await page.reload()
      await see(page, 'Proxy Status', 'Restart Proxy')
      expect(await page.getByRole('link', { name: 'Log Pipeline' }).count()).toBe(0)
      await settles(() => calls.includes('GET /api/stats'), true)
      expect(calls.filter((call) => call.includes('/api/pipeline'))).toEqual([])
    },
    { as: 'regular', path: '/' },
  ],
  ['opened by anybody else', 'there is no such page', 'decisions, Screens', ['404 Page Not Found'], { as: 'regular' }],
  [
    'a busy installation',
    'every number of the equation, who is silent and why, the spool close to full',
    'architecture, Log pipeline',
    async ({ page }) => {
      const equation = page.getByRole('list', { name: 'Equation' })
      await equation.getByText('1,234,000').waitFor()
      expect(await equation.getByRole('listitem').allInnerTexts()).toHaveLength(5)
      await page.getByText('The equation holds.').waitFor()
      await see(page, '2 of the dead were dropped by an operator.', '83.0%')
      await see(page, 'edge-1 · 41', 'Silent', 'Timeout of an insert <script>')
    },
    { before: ({ page }) => answer(page, 'GET', '/api/pipeline', 200, busyPipeline) },
  ],
  [
    'the store away',
    'says what is not known',
    'faults 10',
    ['ClickHouse does not answer: what it holds is not known right now.'],
    { before: ({ page }) => answer(page, 'GET', '/api/pipeline', 200, blindPipeline) },
  ],
  [
    'a dead letter',
    'shown with what is wrong, sent again, dropped after a question',
    'faults 21',
    async ({ page }) => {
      const calls = watchCalls(page)
      await see(page, deadLetter.reason)
      await page.getByRole('button', { name: 'Show' }).click()
      await see(page, 'accountId: expected a UUID')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Replay' }).click()
      await seeToast(page, 'Sent again')
      await page.getByRole('button', { name: 'Drop' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Drop' }).click()
      await seeToast(page, 'Dropped')
      await settles(
        () => calls.filter((call) => /^(POST|DELETE)/.test(call)),
        [`POST ${letterPath}/replay`, `DELETE ${letterPath}`],
      )
    },
    {
      before: async ({ page }) => {
        await answer(page, 'GET', '/api/pipeline/dead-letters', 200, [deadLetter])
        await answer(page, 'GET', letterPath, 200, deadLetterDetails)
        await answer(page, 'POST', `${letterPath}/replay`, 204, '')
        await answer(page, 'DELETE', letterPath, 204, '')
      },
    },
  ],
  [
    'the pipeline can’t be read',
    'what happened and a retry',
    'decisions, Screens',
    ['The pipeline could not be read', failureText, 'Try again'],
    { before: ({ page }) => fail(page, 'GET', '/api/pipeline') },
  ],
])
