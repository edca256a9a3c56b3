import { expect, it } from 'vitest'
import { tokenStatus } from './token-status.ts'

const now = Date.parse('2025-06-01T12:00:00Z')

it.each([
  { isActive: true, expiresAt: null, status: 'Active' },
  { isActive: false, expiresAt: null, status: 'Inactive' },
  { isActive: true, expiresAt: '2025-06-01T23:59:59Z', status: 'Active' },
  { isActive: true, expiresAt: '2025-06-01T11:59:59Z', status: 'Expired' },
  { isActive: false, expiresAt: '2025-05-01T00:00:00Z', status: 'Expired' },
])('is $status for active=$isActive, expiring $expiresAt', ({ status, ...token }) => {
  expect(tokenStatus(token, now)).toBe(status)
})
