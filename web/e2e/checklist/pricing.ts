import { expect } from 'vitest'
import { answer, see } from '../assertions.ts'
import { checklist } from '../checklist-table.ts'

export const pricingRows = checklist('Pricing', { as: 'regular', path: '/pricing' }, [
  [
    'opened',
    'title, three plans, why, questions',
    '§2, §9',
    async ({ page }) => {
      await see(page, 'Simple, Transparent Pricing', '$0', '$29', '$99', 'Why upgrade to Pro?')
      await see(page, 'Unlimited requests', 'Up to 10 tokens', '99.9% uptime SLA', 'Unlimited tokens')
      await see(page, 'Paid plans carry a 30-day money-back guarantee.')
    },
  ],
  [
    'on the free plan',
    'its button says Current Plan and is disabled',
    '§2',
    async ({ page }) => {
      expect(await page.getByRole('button', { name: 'Current Plan' }).isDisabled()).toBe(true)
      expect(await page.getByRole('link', { name: 'Contact Sales' }).getAttribute('href')).toMatch(/^mailto:/)
    },
  ],
  [
    'Upgrade to Pro, no payments',
    'the payment area says so',
    'decisions',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
      await see(page, 'Complete your upgrade')
      await page.getByText('Payments are not set up on this server.').waitFor()
    },
    {
      before: ({ page }) =>
        answer(page, 'GET', '/api/paypal/setup', 503, {
          type: 'about:blank',
          title: 'Payments not set up',
          status: 503,
          code: 'payments-not-configured',
          detail: 'Payments are not set up on this server.',
          instance: 'r1',
        }),
    },
  ],
])
