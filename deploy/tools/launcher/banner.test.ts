import { expect, test } from 'vitest'
import { banner } from './banner.ts'

const url = 'http://127.0.0.1:3000'

test.each([
  ['open', /Create an account +http:\/\/127\.0\.0\.1:3000\/auth\n/],
  ['invite', /Create an account .*npm run accounts -- invite\n/],
  ['closed', /Create an account +nobody can/],
] as const)('registration %s: the first step is the one that works', (registration, firstStep) => {
  const text = banner({ url, gatewayUrl: url, registration })
  expect(text).toMatch(firstStep)
  expect(text).toContain('http://127.0.0.1:3000/api/proxy/v1')
})
