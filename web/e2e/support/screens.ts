import type { Page } from '@playwright/test'
import type { Visitor } from './accounts.ts'
import { see } from './assertions.ts'
import { demandPassword, fail } from './intercept.ts'

/** A screen in one of its states: how to get there and what shows that it stands. */
export type Screen = {
  name: string
  as: Visitor
  path: string
  before?: (page: Page) => Promise<unknown>
  ready: (page: Page) => Promise<unknown>
}

const press = (name: string) => async (page: Page) => page.getByRole('button', { name }).first().click()

const dialog = (page: Page) => page.locator('[role=dialog], [role=alertdialog]').first().waitFor()

/** Every screen and dialog; what the accessibility test and the screenshots go through. */
export const screens: Screen[] = [
  { name: 'landing', as: 'nobody', path: '/', ready: (page) => see(page, 'Learn More') },
  { name: 'login', as: 'nobody', path: '/auth', ready: (page) => page.getByLabel('Username').waitFor() },
  {
    name: 'login-refused',
    as: 'nobody',
    path: '/auth',
    ready: async (page) => {
      await press('Login')(page)
      await see(page, 'Missing fields')
    },
  },
  {
    name: 'register',
    as: 'nobody',
    path: '/auth',
    ready: async (page) => {
      await page.getByRole('tab', { name: 'Register' }).click()
      await page.getByLabel('Email').waitFor()
    },
  },
  {
    name: 'forgot-password',
    as: 'nobody',
    path: '/forgot-password',
    ready: (page) => see(page, 'This server sends no mails. Its operator can reset your password.'),
  },
  {
    name: 'reset-password',
    as: 'nobody',
    path: '/reset-password#secret',
    ready: (page) => page.getByLabel('New Password').waitFor(),
  },
  {
    name: 'confirm-email',
    as: 'regular',
    path: '/confirm-email#secret',
    ready: (page) => see(page, 'Confirm Address'),
  },
  { name: 'not-found', as: 'nobody', path: '/nowhere', ready: (page) => see(page, '404 Page Not Found') },
  {
    name: 'dashboard',
    as: 'regular',
    path: '/',
    ready: async (page) => {
      await page.getByRole('textbox', { name: 'Body', exact: true }).waitFor()
      await see(page, 'Recent Request Logs')
    },
  },
  {
    name: 'dashboard-first-run',
    as: 'newcomer',
    path: '/',
    ready: async (page) => {
      await page.getByRole('textbox', { name: 'Body', exact: true }).waitFor()
      await see(page, '0 of 3 steps done')
    },
  },
  {
    name: 'dashboard-failing',
    as: 'regular',
    path: '/',
    before: async (page) => {
      for (const path of ['/api/keys', '/api/logs', '/api/stats']) await fail(page, 'GET', path)
    },
    ready: (page) => see(page, 'The request logs could not be loaded'),
  },
  {
    name: 'tester-answer',
    as: 'sender',
    path: '/',
    before: (page) =>
      page.route('**/api/proxy/v1/**', (route) =>
        route.fulfill({
          json: { object: 'chat.completion', choices: [{ message: { content: 'Hello! How can I help?' } }] },
        }),
      ),
    ready: async (page) => {
      await press('Send Request')(page)
      await see(page, 'Complete')
    },
  },
  {
    name: 'tester-mistake',
    as: 'sender',
    path: '/',
    ready: async (page) => {
      await page.getByRole('textbox', { name: 'Headers', exact: true }).fill('{"X-Test":')
      await page.locator('.cm-lint-marker-error').waitFor()
    },
  },
  {
    name: 'request-details',
    as: 'regular',
    path: '/',
    ready: async (page) => {
      await page
        .getByRole('button', { name: /\/v1\/chat\/completions/ })
        .first()
        .click()
      await see(page, 'Outcome')
    },
  },
  {
    name: 'request-details-body',
    as: 'regular',
    path: '/',
    ready: async (page) => {
      await page
        .getByRole('button', { name: /\/v1\/chat\/completions/ })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('tab', { name: 'Response' }).click()
      await see(page, 'N/A')
    },
  },
  { name: 'api-keys', as: 'regular', path: '/api-keys', ready: (page) => see(page, 'Production') },
  { name: 'api-keys-empty', as: 'newcomer', path: '/api-keys', ready: (page) => see(page, 'No API keys yet') },
  {
    name: 'api-keys-add',
    as: 'regular',
    path: '/api-keys?dialog=add',
    ready: async (page) => {
      await press('Add Key')(page)
      await see(page, 'Validation Error')
    },
  },
  {
    name: 'api-keys-delete',
    as: 'regular',
    path: '/api-keys',
    ready: async (page) => {
      await press('Delete Production')(page)
      await dialog(page)
    },
  },
  { name: 'secure-tokens', as: 'regular', path: '/secure-tokens', ready: (page) => see(page, 'How to Use') },
  {
    name: 'secure-tokens-empty',
    as: 'newcomer',
    path: '/secure-tokens',
    ready: (page) => see(page, 'No secure tokens yet'),
  },
  { name: 'secure-tokens-create', as: 'regular', path: '/secure-tokens?dialog=create', ready: dialog },
  {
    name: 'secure-tokens-delete',
    as: 'regular',
    path: '/secure-tokens',
    ready: async (page) => {
      await press('Delete Backend')(page)
      await dialog(page)
    },
  },
  { name: 'proxy-config', as: 'regular', path: '/proxy-config', ready: (page) => see(page, 'Privacy') },
  {
    name: 'undo-email-change',
    as: 'nobody',
    path: '/undo-email-change#secret',
    ready: (page) => see(page, 'Undo the change'),
  },
  {
    name: 'proxy-config-edited',
    as: 'regular',
    path: '/proxy-config',
    ready: async (page) => {
      await page.getByLabel('Timeout (ms)').fill('90000')
      await page.getByRole('switch', { name: 'Enable Rate Limiting' }).click()
      await see(page, 'Unsaved Changes', 'Warning', 'Recommendation')
    },
  },
  {
    name: 'confirm-password',
    as: 'regular',
    path: '/proxy-config',
    ready: async (page) => {
      await demandPassword(page, 'POST', '/api/proxy/config')
      await page.getByLabel('Base URL').fill('http://localhost:1')
      await press('Save Changes')(page)
      await dialog(page)
    },
  },
  {
    name: 'api-docs',
    as: 'regular',
    path: '/api-docs',
    ready: async (page) => {
      await page.locator('.hljs-string').first().waitFor()
      await see(page, 'Backend')
    },
  },
  {
    name: 'command-palette',
    as: 'regular',
    path: '/api-keys',
    ready: async (page) => {
      await see(page, 'Production')
      await page.keyboard.press('Control+k')
      await page.getByRole('option', { name: 'Sign out' }).waitFor()
    },
  },
  { name: 'request-logs', as: 'regular', path: '/request-logs', ready: (page) => see(page, 'Showing 1-2 of 2') },
  {
    name: 'request-logs-filters',
    as: 'regular',
    path: '/request-logs?page=x&model=gpt-4o&range=7d',
    ready: async (page) => {
      await press('More filters')(page)
      await see(page, 'Part of this link could not be read', 'Status code')
    },
  },
  {
    name: 'request-logs-empty',
    as: 'newcomer',
    path: '/request-logs',
    ready: (page) => see(page, 'No Request Logs'),
  },
  {
    name: 'request-logs-details',
    as: 'regular',
    path: '/request-logs',
    ready: async (page) => {
      await press('View details')(page)
      await see(page, 'Latency')
    },
  },
  { name: 'analytics', as: 'regular', path: '/analytics', ready: (page) => see(page, 'Top endpoints') },
  { name: 'analytics-empty', as: 'newcomer', path: '/analytics', ready: (page) => see(page, 'Top endpoints') },
  {
    name: 'analytics-measured',
    as: 'regular',
    path: '/analytics?view=measured',
    ready: (page) => see(page, 'Time to first byte', 'Status codes'),
  },
  { name: 'pricing', as: 'regular', path: '/pricing', ready: (page) => see(page, 'Why upgrade to Pro?') },
  { name: 'profile', as: 'regular', path: '/profile', ready: (page) => see(page, 'Personal Information') },
  { name: 'profile-security', as: 'regular', path: '/profile?tab=security', ready: (page) => see(page, 'This device') },
  {
    name: 'profile-preferences',
    as: 'regular',
    path: '/profile?tab=preferences',
    ready: (page) => see(page, 'Save Preferences'),
  },
  {
    name: 'profile-billing',
    as: 'regular',
    path: '/profile?tab=billing',
    ready: (page) => see(page, 'Usage This Month'),
  },
  {
    name: 'secure-tokens-edit',
    as: 'regular',
    path: '/secure-tokens',
    ready: async (page) => {
      await press('Edit Backend')(page)
      await dialog(page)
    },
  },
  { name: 'pipeline', as: 'operator', path: '/pipeline', ready: (page) => see(page, 'Reports', 'No dead letters') },
]
