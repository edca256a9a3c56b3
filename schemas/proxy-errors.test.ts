import { expect, test } from 'vitest'
import { problems } from './problems.ts'
import { proxyErrors } from './proxy-errors.ts'

test('a code that both planes use has the same status in both', () => {
  for (const [code, { status }] of Object.entries(problems)) {
    if (Object.hasOwn(proxyErrors, code)) expect(proxyErrors).toMatchObject({ [code]: { status } })
  }
})
