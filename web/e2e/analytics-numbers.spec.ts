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
