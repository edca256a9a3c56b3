import { expect, type Page } from '@playwright/test'
import type { Visitor } from './accounts.ts'
import { alertScreens } from './alert-screens.ts'
import { demandPassword, fail, respond } from './intercept.ts'
import { tokensOfEveryState } from './samples.ts'

/** A screen in one of its states: how to get there, and which texts it shows. */
export type Screen = {
  name: string
  /** By default the `regular` one. */
  as?: Visitor
  path: string
  /** Intercepts calls before the screen is opened. */
  before?: (page: Page) => Promise<unknown>
  /** The button to press on the opened screen. */
  press?: string | RegExp
  /** Further actions on the opened screen, after the press. */
  act?: (page: Page) => Promise<unknown>
  shows: (string | RegExp)[]
  hides?: string[]
}

/** Splits a list of texts at ` · `. */
const texts = (list: string) => list.split(' · ')

const editor = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const logButton = /\/v1\/chat\/completions/

/** Every screen and dialog, for the accessibility test and the screenshots. */
export const screens: Screen[] = [
  ...alertScreens,
  {
    name: 'landing',
    as: 'guest',
    path: '/',
    shows: [
      ...texts(
        'Sallyport · API Gateway · Secure OpenAI API Proxy · Learn More · Ready to get started? · Secure Proxy · High Performance · API Key Management · Analytics Dashboard',
      ),
      /^© \d{4}/,
    ],
  },
  { name: 'login', as: 'guest', path: '/auth', shows: ['Username'] },
  { name: 'login-rejected', as: 'guest', path: '/auth', press: 'Login', shows: ['Missing fields'] },
  {
    name: 'register',
    as: 'guest',
    path: '/auth',
    act: (page) => page.getByRole('tab', { name: 'Register' }).click(),
    shows: ['Email'],
  },
  {
    name: 'forgot-password',
    as: 'guest',
    path: '/forgot-password',
    shows: ['This server sends no mails. Its operator can reset your password.'],
    hides: ['Email'],
  },
  { name: 'reset-password', as: 'guest', path: '/reset-password#secret', shows: ['New Password'] },
  { name: 'confirm-email', path: '/confirm-email#secret', shows: ['Confirm Address'] },
  {
    name: 'not-found',
    as: 'guest',
    path: '/nowhere',
    shows: ['404 Page Not Found', 'Did you forget to add the page to the router?'],
    hides: ['API Keys'],
  },
  {
    name: 'dashboard',
    path: '/',
    act: (page) => editor(page, 'Body').waitFor(),
    shows: ['API Request Tester', 'Recent Request Logs'],
    hides: ['Set up Sallyport'],
  },
  {
    name: 'dashboard-first-run',
    as: 'newcomer',
    path: '/',
    act: (page) => editor(page, 'Body').waitFor(),
    shows: ['0 of 3 steps done'],
  },
  {
    name: 'dashboard-failing',
    path: '/',
    before: async (page) => {
      for (const path of ['/api/keys', '/api/logs', '/api/stats']) await fail(page, 'GET', path)
    },
    act: (page) => expect(page.getByTitle('Could not be loaded')).toHaveText(['–', '–', '–', '–']),
    shows: ['The request logs could not be loaded'],
  },
  {
    name: 'tester-response',
    as: 'sender',
    path: '/',
    before: (page) =>
      page.route('**/api/proxy/v1/**', (route) =>
        route.fulfill({
          json: { object: 'chat.completion', choices: [{ message: { content: 'Hello! How can I help?' } }] },
        }),
      ),
    press: 'Send Request',
    shows: ['Complete'],
  },
  {
    name: 'tester-mistake',
    as: 'sender',
    path: '/',
    act: async (page) => {
      await editor(page, 'Headers').fill('{"X-Test":')
      await page.locator('.cm-lint-marker-error').waitFor()
    },
    shows: [/^Not valid JSON/],
  },
  { name: 'request-details', path: '/', press: logButton, shows: ['Outcome'] },
  {
    name: 'request-details-body',
    path: '/',
    press: logButton,
    act: (page) => page.getByRole('dialog').getByRole('tab', { name: 'Response' }).click(),
    shows: ['N/A'],
  },
  { name: 'api-keys', path: '/api-keys', shows: ['Production'] },
  { name: 'api-keys-empty', as: 'newcomer', path: '/api-keys', shows: ['No API keys yet', 'Add Your First Key'] },
  { name: 'api-keys-add', path: '/api-keys?dialog=add', press: 'Add Key', shows: ['Validation Error'] },
  { name: 'api-keys-delete', path: '/api-keys', press: 'Delete Production', shows: ['Delete API key?'] },
  { name: 'secure-tokens', path: '/secure-tokens', shows: ['Backend', 'Active', 'How to Use'] },
  {
    name: 'secure-tokens-empty',
    as: 'newcomer',
    path: '/secure-tokens',
    shows: ['No secure tokens yet', 'Create Your First Token'],
    hides: ['How to Use'],
  },
  { name: 'secure-tokens-create', path: '/secure-tokens?dialog=create', shows: ['Create Secure Token'] },
  {
    name: 'secure-tokens-limited',
    path: '/secure-tokens',
    before: (page) => respond(page, 'GET', '/api/tokens', 200, tokensOfEveryState),
    shows: ['84% spent', '60 requests a minute, 100,000 tokens a minute, 10 at once', 'End Now'],
  },
  {
    name: 'secure-tokens-rotate',
    path: '/secure-tokens',
    press: 'Rotate Backend',
    shows: ['Rotate secure token', 'Grace Time'],
  },
  { name: 'secure-tokens-delete', path: '/secure-tokens', press: 'Delete Backend', shows: ['Delete secure token?'] },
  { name: 'proxy-config', path: '/proxy-config', shows: ['Privacy'] },
  { name: 'undo-email-change', as: 'guest', path: '/undo-email-change#secret', shows: ['Undo the change'] },
  {
    name: 'proxy-config-edited',
    path: '/proxy-config',
    act: async (page) => {
      await page.getByLabel('Timeout (ms)').fill('90000')
      await page.getByRole('switch', { name: 'Enable Rate Limiting' }).click()
    },
    shows: ['Unsaved Changes', 'Warning', 'Recommendation'],
  },
  {
    name: 'confirm-password',
    path: '/proxy-config',
    before: (page) => demandPassword(page, 'POST', '/api/proxy/config'),
    act: async (page) => {
      await page.getByLabel('Base URL').fill('http://localhost:1')
      await page.getByRole('button', { name: 'Save Changes' }).click()
    },
    shows: ['Confirm that it’s you'],
  },
  {
    name: 'api-docs',
    path: '/api-docs',
    act: (page) => page.locator('.hljs-string').first().waitFor(),
    shows: ['Backend'],
  },
  {
    name: 'command-palette',
    path: '/api-keys',
    act: async (page) => {
      await page.getByText('Production').first().waitFor()
      await page.keyboard.press('Control+k')
    },
    shows: ['Copy base URL'],
  },
  { name: 'request-logs', path: '/request-logs', shows: ['Showing 1-2 of 2'] },
  {
    name: 'request-logs-filters',
    path: '/request-logs?page=x&model=gpt-4o&range=7d',
    press: 'More filters',
    shows: ['Part of this link could not be read', 'Status code'],
  },
  {
    name: 'request-logs-empty',
    as: 'newcomer',
    path: '/request-logs',
    shows: ['No Request Logs', 'Start using the proxy to see request logs here', '0 requests found'],
  },
  {
    name: 'request-logs-details',
    path: '/request-logs?columns=status,time',
    press: 'View details',
    shows: ['Latency'],
  },
  {
    name: 'analytics',
    path: '/analytics',
    shows: ['Total Requests', 'Success Rate', 'Avg Response Time', 'Estimated Cost', 'Top endpoints'],
  },
  {
    name: 'analytics-empty',
    as: 'newcomer',
    path: '/analytics',
    shows: ['Top endpoints', /^No requests in the range “Last 7 days”/],
  },
  {
    name: 'analytics-measured',
    path: '/analytics?view=measured&range=24h',
    shows: texts(
      'Availability · Response time, p95 · Requests and errors · Time to first byte · Status codes · Models · Secure tokens',
    ),
  },
  {
    name: 'pricing',
    path: '/pricing',
    shows: texts(
      'Simple, Transparent Pricing · $0 · $29 · $99 · Unlimited requests · Up to 10 tokens · 99.9% uptime SLA · Unlimited tokens · Why upgrade to Pro? · Paid plans carry a 30-day money-back guarantee.',
    ),
  },
  { name: 'profile', path: '/profile', shows: ['Personal Information', 'Free Plan', 'Change Photo', 'Ada Lovelace'] },
  {
    name: 'profile-security',
    path: '/profile?tab=security',
    shows: ['Two-Factor Sign-In', 'Sessions', 'This device', 'Activity'],
  },
  {
    name: 'profile-management-key',
    path: '/profile?tab=security',
    press: 'Create Key',
    shows: ['Create Management Key', 'Expires After'],
  },
  {
    name: 'profile-preferences',
    path: '/profile?tab=preferences',
    shows: ['Email Notifications', 'Security Alerts', 'Usage Reports', 'Save Preferences'],
  },
  {
    name: 'profile-billing',
    path: '/profile?tab=billing',
    shows: [
      ...texts('Current Plan · Start with our free plan · Usage This Month · Upgrade Plan'),
      /^\d+ of [\d,]+ API requests$/,
      /^[\d,]+ remaining$/,
    ],
  },
  { name: 'secure-tokens-edit', path: '/secure-tokens', press: 'Edit Backend', shows: ['Edit Secure Token'] },
  {
    name: 'pipeline',
    as: 'operator',
    path: '/pipeline',
    shows: [
      ...texts(
        'Log Pipeline · accepted · stored · queued · spooled · dead · Queue depth · Oldest event · Proxies · Ingest lag, p95 · Workers · Insert time, p50 · Reports · No dead letters',
      ),
      /^Complete up to /,
    ],
  },
]
