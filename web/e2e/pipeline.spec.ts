import { expect } from '@playwright/test'
import { escapeFrom, openPage, see, seeToast, watchCalls } from './support/assertions.ts'
import { respond, respondWithProblem } from './support/intercept.ts'
import { blindPipeline, busyPipeline, deadLetter, deadLetterDetails } from './support/pipeline-samples.ts'
import { test } from './support/test.ts'

const letterPath = `/api/pipeline/dead-letters/${deadLetter.id}`

test.use({ visitor: 'operator' })

test('the Dashboard of an operator: its status card leads to the page, as the navigation and the command palette do', async ({
  page,
}) => {
  await openPage(page, '/')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation.getByRole('link').last()).toHaveText('Log Pipeline')
  await page.getByRole('main').getByRole('link', { name: 'Log Pipeline' }).click()
  await expect(page).toHaveURL('/pipeline')
  await expect(navigation.locator('[aria-current=page]').getByText('Log Pipeline')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option', { name: 'Log Pipeline' })).toBeVisible()
})

test('a busy installation: the equation, a silent worker, the spool close to full; without ClickHouse: what is not known', async ({
  page,
}) => {
  await respond(page, 'GET', '/api/pipeline', 200, busyPipeline)
  await openPage(page, '/pipeline')
  const equation = page.getByRole('list', { name: 'Equation' })
  await expect(equation.getByText('1,234,000')).toBeVisible()
  await expect(equation.getByRole('listitem')).toHaveCount(5)
  await expect(page.getByText('The equation holds.')).toBeVisible()
  await see(page, 'An operator dropped 2 of the dead.', '83.0%')
  await see(page, 'edge-1 · 41', 'Silent', 'Timeout of an insert <script>')
  await see(page, /^Complete up to .+, \d{4}, \d\d:\d\d:\d\d$/)
  await page.setViewportSize({ width: 320, height: 600 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await respond(page, 'GET', '/api/pipeline', 200, blindPipeline)
  await page.reload()
  await see(page, 'ClickHouse does not respond: what it has stored is not known right now.')
})

test('a dead letter: shown with what is wrong, dropped after a question, sent again; the focus stays in the list', async ({
  page,
}) => {
  await respond(page, 'GET', '/api/pipeline/dead-letters', 200, [deadLetter])
  await respond(page, 'GET', letterPath, 200, deadLetterDetails)
  await respond(page, 'POST', `${letterPath}/replay`, 204, '')
  await respond(page, 'DELETE', letterPath, 204, '')
  await openPage(page, '/pipeline')
  const calls = watchCalls(page)
  await see(page, deadLetter.reason)
  await page.getByRole('button', { name: 'Show' }).click()
  await see(page, 'accountId: expected a UUID')
  await escapeFrom(page.getByRole('dialog'))
  await page.getByRole('button', { name: 'Drop' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Drop' }).click()
  await seeToast(page, 'Dropped')
  await respond(page, 'GET', '/api/pipeline/dead-letters', 200, [])
  await page.getByRole('button', { name: 'Replay' }).press('Enter')
  await seeToast(page, 'Sent again')
  await expect(page.locator(':focus')).toContainText('No dead letters')
  await expect
    .poll(() => calls.filter((call) => /^(POST|DELETE)/.test(call)))
    .toEqual([`DELETE ${letterPath}`, `POST ${letterPath}/replay`])
})

test('a dead letter dropped elsewhere: dropping it says so, and the question closes', async ({ page }) => {
  await respond(page, 'GET', '/api/pipeline/dead-letters', 200, [deadLetter])
  await respondWithProblem(page, 'DELETE', letterPath, 'not-found')
  await openPage(page, '/pipeline')
  await page.getByRole('button', { name: 'Drop' }).click()
  await respond(page, 'GET', '/api/pipeline/dead-letters', 200, [])
  await page.getByRole('alertdialog').getByRole('button', { name: 'Drop' }).click()
  await seeToast(page, 'Drop failed', /may have been deleted/)
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await see(page, 'No dead letters')
})

test.describe('for other accounts', () => {
  test.use({ visitor: 'regular' })

  test('Dashboard: says nothing of the pipeline and asks for nothing; its path is not found', async ({ page }) => {
    const calls = watchCalls(page)
    await openPage(page, '/')
    await see(page, 'Proxy Status', 'Restart Proxy')
    await expect(page.getByRole('link', { name: 'Log Pipeline' })).toHaveCount(0)
    await expect.poll(() => calls).toContain('GET /api/stats')
    expect(calls.filter((call) => call.includes('/api/pipeline'))).toEqual([])
    await openPage(page, '/pipeline')
    await see(page, '404 Page Not Found')
  })
})
