import { expect } from 'vitest'
import { answer, see, seeToast, settles } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'
import { storedLog } from './fixtures.ts'

const streamed = storedLog(
  '{"model":"gpt-4o","stream":true}',
  ['Hello ', 'there'].map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`).join(''),
)
const large = storedLog(
  '{}',
  JSON.stringify({ data: Array.from({ length: 5_000 }, (_, index) => 'x'.repeat(990) + index) }),
)

export const requestLogDetailsRows = checklist('Request Details', { as: 'regular', path: '/request-logs' }, [
  [
    'streamed answer',
    'put together and raw; the request formatted',
    'decisions, Screens',
    async ({ page }) => {
      const dialog = page.getByRole('dialog', { name: 'Request Details' })
      await dialog.getByRole('tab', { name: 'Request' }).click()
      await dialog.getByText('"model": "gpt-4o"').waitFor()
      await dialog.getByRole('tab', { name: 'Response' }).click()
      await see(page, 'Hello there')
      await dialog.getByText('Raw', { exact: true }).click()
      await dialog.getByText('data: {"choices"').waitFor()
    },
    {
      path: `/request-logs?log=${streamed.id}`,
      before: ({ page }) => answer(page, 'GET', `/api/logs/${streamed.id}`, 200, streamed),
    },
  ],
  [
    'body of 5 MB',
    'only the lines in sight are drawn',
    'bad input',
    async ({ page }) => {
      const dialog = page.getByRole('dialog', { name: 'Request Details' })
      await dialog.getByRole('tab', { name: 'Response' }).click()
      const lines = dialog.getByRole('region', { name: 'response body' }).locator('pre')
      await lines.first().waitFor()
      expect(await lines.count()).toBeLessThan(100)
    },
    {
      path: `/request-logs?log=${large.id}`,
      before: ({ page }) => answer(page, 'GET', `/api/logs/${large.id}`, 200, large),
    },
  ],
  [
    'link copied',
    'opens that log; closed, the address is the list’s and the focus is on its row again',
    'decisions, Screens',
    async ({ page }) => {
      await page.locator('tr[data-index="1"]').focus()
      await page.keyboard.press('Enter')
      await see(page, 'Latency')
      await page.getByRole('button', { name: 'Copy link' }).click()
      await seeToast(page, 'Link copied')
      const link = await page.evaluate(() => navigator.clipboard.readText())
      // The first one is for the toast.
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await settles(() => page.evaluate(() => document.activeElement?.getAttribute('data-index')), '1')
      await page.goto(link)
      await page.getByRole('dialog', { name: 'Request Details' }).waitFor()
      await page.keyboard.press('Escape')
      await settles(() => new URL(page.url()).search, '')
    },
  ],
  [
    'Send again pressed',
    'method, path and body stand in the tester',
    'decisions, Screens',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Send again' }).click()
      await settles(() => page.getByLabel('Endpoint').inputValue(), streamed.endpoint)
      await settles(
        async () => (await page.getByRole('textbox', { name: 'Body', exact: true }).textContent())?.includes('stream'),
        true,
      )
    },
    {
      path: `/request-logs?log=${streamed.id}`,
      before: ({ page }) => answer(page, 'GET', `/api/logs/${streamed.id}`, 200, streamed),
    },
  ],
])
