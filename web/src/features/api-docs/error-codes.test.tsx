import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { proxyErrors } from '#schemas/proxy-errors.ts'
import { ErrorCodes } from './error-codes.tsx'

it('names every status with which the proxy itself responds to a request for an endpoint', () => {
  const page = renderToStaticMarkup(<ErrorCodes />)
  // These need another path, method or host, a session of a browser, or an upgrade.
  const elsewhere = new Set([404, 405, 409, 421, 501])
  const possible = Object.values(proxyErrors).filter(({ status }) => !elsewhere.has(status))
  for (const { status } of possible) expect(page).toContain(`>${status}<`)
})
