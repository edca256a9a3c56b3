import { expect } from '@playwright/test'
import { openPage, see } from './support/assertions.ts'
import { respond } from './support/intercept.ts'
import { logSummary } from './support/samples.ts'
import { test } from './support/test.ts'

test('estimated, a log of 1,800 rejected requests: all of them count', async ({ page }) => {
  const createdAt = new Date().toISOString()
  const logs = [logSummary(200, 'POST'), { ...logSummary(429, 'POST'), requestCount: 1_800 }]
  await respond(
    page,
    'GET',
    '/api/logs',
    200,
    logs.map((log) => ({ ...log, createdAt })),
  )
  await openPage(page, '/analytics?tab=errors')
  await see(page, '1,801', '0.1%', '1,800 (99.9%)')
})

test('measured, of successes: the number of errors is 0 and leads nowhere, also in a chart by group', async ({
  page,
}) => {
  await openPage(page, '/analytics?view=measured&status=success&groupBy=model')
  const totals = page.getByRole('region', { name: 'Totals', exact: true })
  await expect(totals.getByRole('link', { name: '2', exact: true })).toBeVisible()
  await expect(totals.getByRole('link', { name: '0', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Errors as a table' }).click()
  const errors = page.getByRole('table', { name: 'Errors', exact: true })
  await expect(errors).toBeVisible()
  await expect(errors.getByRole('button')).toHaveCount(0)
})
