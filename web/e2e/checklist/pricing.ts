import { expect } from 'vitest'
import { planTable } from '#schemas/plans.ts'
import { answer, fail, failureText, see } from '../assertions.ts'
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
    'the operator has changed the limits',
    'the limits that hold on this server, in the same words',
    '§9, decisions, Enforcement',
    async ({ page }) => {
      await see(page, '1,000 API requests per day', 'Up to 5 tokens', 'Up to 25 tokens', '50,000 requests/month')
      expect(await page.getByText('5 API requests per day', { exact: true }).count()).toBe(0)
    },
    {
      before: ({ page }) =>
        answer(
          page,
          'GET',
          '/api/plans',
          200,
          planTable({
            free: { requestsPerDay: 1_000, tokens: 5 },
            pro: { requestsPerMonth: 50_000, tokens: 25 },
          }),
        ),
    },
  ],
  [
    'failing',
    'says what happened and offers a retry',
    'design',
    ['The plans could not be loaded', failureText, 'Try again'],
    { before: ({ page }) => fail(page, 'GET', '/api/plans') },
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
