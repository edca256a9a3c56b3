import { expect, test } from 'vitest'
import type { MailContent } from '#schemas/mails.ts'
import { renderMail } from './mail.ts'
import { composeMail } from './templates.ts'

const render = (content: MailContent, linkSecret?: string) =>
  renderMail(composeMail(content, 'https://gw.example', linkSecret))
const reader = { name: 'Ada', timezone: 'America/New_York' }
const event = {
  action: 'secure-token-created' as const,
  subject: 'ci',
  clientAddress: '203.0.113.7',
  at: '2026-11-20T13:00:00Z',
}

test('a security notice says what happened, when and from where, in text and in HTML', () => {
  const { subject, text, html } = render({ ...reader, kind: 'security-alert', events: [event] })
  expect(subject).toBe('Security alert for your Sallyport account')
  for (const version of [text, html]) {
    expect(version).toContain('A secure token was created.')
    expect(version).toContain('Nov 20, 2026, 8:00 AM EST')
    expect(version).toContain('203.0.113.7')
    expect(version).toContain('https://gw.example/profile')
  }
})

test('user input is escaped', () => {
  const subject = `<script>alert(1)</script>"' \u202egnp.exe\u0007\r\nBcc: x@y.z`
  const mail = render({
    ...reader,
    name: '<b>Ada</b>\r\nX: y',
    kind: 'security-alert',
    events: [{ ...event, subject }],
  })
  expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;')
  expect(mail.html).not.toMatch(/<script|<b>/)
  expect(mail.text + mail.html).not.toMatch(/[^\P{C}\n]/u)
  expect(mail.text).toContain('Hello <b>Ada</b> X: y,')
  expect(mail.subject).not.toMatch(/[\r\n]/)
})

test('a name keeps the characters that join its emoji and letters', () => {
  const name = 'خانه‌ها 👨‍👩‍👧'
  const { text, html } = render({ ...reader, kind: 'security-alert', events: [{ ...event, subject: name }] })
  for (const version of [text, html]) expect(version).toContain(name)
})

test('a usage report compares two weeks', () => {
  const { subject, text } = render({
    ...reader,
    kind: 'usage-report',
    from: '2026-11-09T05:00:00Z',
    until: '2026-11-16T05:00:00Z',
    totals: { requests: 1_200, successes: 1_188, costNanoUsd: 1_500_000_000, unpricedRequests: 180 },
    before: { requests: 0, successes: 0, costNanoUsd: 0, unpricedRequests: 0 },
    topModels: [
      { model: 'gpt-4o', requests: 1_000, costNanoUsd: 1_400_000_000, unpricedRequests: 0 },
      { model: 'flux', requests: 180, costNanoUsd: 0, unpricedRequests: 180 },
      { model: 'o3', requests: 1, costNanoUsd: 0, unpricedRequests: 0 },
      { model: 'tiny', requests: 1, costNanoUsd: 400, unpricedRequests: 0 },
    ],
  })
  expect(subject).toBe('Your Sallyport week: 1,200 requests')
  expect(text).toContain('from Monday, November 9 to Sunday, November 15')
  expect(text).toContain('Requests: 1,200 (week before: 0)')
  expect(text).toContain('Success rate: 99.0 % (week before: none)')
  expect(text).toContain('Cost: $1.5000 (week before: $0.0000)')
  expect(text).toContain('Without a known cost: 180 requests')
  expect(text).toContain('gpt-4o: 1,000 requests, $1.4000')
  expect(text).toContain('flux: 180 requests, –')
  expect(text).toContain('o3: 1 request, $0.0000')
  expect(text).toContain('tiny: 1 request, <$0.000001')
})

test('an unknown timezone is no error', () => {
  const content = {
    ...reader,
    timezone: 'Mars/Olympus',
    plan: 'pro' as const,
    planAfter: 'basic' as const,
    planUntil: '2026-11-20T13:00:00Z',
  }
  const { subject, text } = render({ ...content, kind: 'plan-ending' })
  expect(subject).toBe('Your Pro Plan ends on Nov 20, 2026')
  expect(text).toContain('1:00 PM UTC')
  expect(text).toContain('back to the Basic Plan')
  expect(text).toContain('https://gw.example/pricing?pay=true')
})

test('row 56: the old address is notified of the new one, with a link that undoes the change', () => {
  const change = { clientAddress: '203.0.113.7', at: '2026-11-20T13:00:00Z', newEmail: 'mallory@example.com' }
  const content: MailContent = { ...reader, ...change, kind: 'email-changed' }
  const { text, html } = render(content, 'the-secret')
  for (const version of [text, html]) {
    expect(version).toContain('mallory@example.com')
    expect(version).toContain('203.0.113.7')
    expect(version).toContain('https://gw.example/undo-email-change#the-secret')
  }
})

test.each([
  ['tag:customer', 'None: 12.3 %'],
  [null, 'Value: 12.3 %'],
] as const)('an alert by %s says whose value it is, and of which requests', (group, row) => {
  const message = {
    alert: { id: '0199a000-0000-7000-8000-000000000001', name: 'Errors' },
    condition: {
      measure: 'errorRate' as const,
      comparison: 'over' as const,
      threshold: 5,
      windowMinutes: 10,
      filters: { status: 'all' as const, method: 'all' as const },
      group,
    },
    groups: [{ group: '', name: '', value: 12.34 }],
    filters: ['model o3', 'token not ci'],
    at: '2026-11-20T13:00:00Z',
  }
  const { text } = render({ ...reader, kind: 'alert', event: 'firing', message })
  expect(text).toContain(row)
  expect(text).toContain('Filters: model o3; token not ci')
})
