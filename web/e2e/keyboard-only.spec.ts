import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import OpenAI from 'openai'
import { password } from './support/accounts.ts'
import { escapeFrom, see, seeToast } from './support/assertions.ts'
import { fakePayPal } from './support/intercept.ts'
import { choose, pressAt, tabTo } from './support/keyboard.ts'
import { test } from './support/test.ts'

test.use({ visitor: 'guest' })

// Checks what a screen reader announces at each step. The keys are those of deploy/docs/keyboard.md.
test('the keyboard alone, by names: register, key, token, requests of an SDK, test, log, pay, delete', async ({
  page,
  origin,
}) => {
  const username = `walker-${randomUUID().slice(0, 8)}`
  const { keyboard } = page
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  const announced = page.getByRole('status').filter({ hasText: 'Notification' })

  await page.goto('/')
  await pressAt(page.getByRole('button', { name: 'Get Started' }))
  await tabTo(page.getByRole('tab', { name: 'Login' }))
  await keyboard.press('ArrowRight')
  await tabTo(page.getByLabel('Username'))
  await keyboard.type(username)
  await tabTo(page.getByLabel('Email'))
  await keyboard.type(`${username}@example.com`)
  await tabTo(page.getByLabel('Password'))
  await keyboard.type(password)
  await expect(main).toMatchAriaSnapshot(`
    - heading "Welcome to Sallyport" [level=1]
    - tablist "Sign in or register":
      - tab "Login"
      - tab "Register" [selected]
    - tabpanel "Register":
      - group:
        - textbox "First Name"
        - textbox "Last Name"
        - textbox "Username"
        - textbox "Email"
        - textbox "Password"
        - button "Create Account"
  `)
  await keyboard.press('Enter')
  await expect(main).toMatchAriaSnapshot(`
    - heading "Dashboard" [level=1]
    - status: Online
    - heading "Set up Sallyport" [level=2]
    - paragraph: 0 of 3 steps done
    - list:
      - listitem:
        - heading "Add a provider key" [level=3]
        - link "Add API Key"
      - listitem:
        - heading "Create a secure token" [level=3]
        - link "Create Token"
      - listitem:
        - heading "Send your first request" [level=3]
        - button "Send a Request"
  `)

  await choose(page, 'add')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await keyboard.type('Production')
  await tabTo(page.getByLabel('API Key', { exact: true }))
  await keyboard.type('sk-walk')
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - dialog "Add API Key":
      - heading "Add API Key" [level=2]
      - button "Close"
      - group:
        - textbox "Name"
        - textbox "API Key"
        - switch "Set as primary key"
        - button "Cancel"
        - button "Add Key"
  `)
  await keyboard.press('Enter')
  await expect(announced).toHaveText(/API key added successfully/)
  await expect(main).toMatchAriaSnapshot(`
    - heading "API Keys" [level=1]
    - list:
      - listitem:
        - heading "Production" [level=2]
        - text: Primary
        - button "Test Production"
        - button "Rename Production"
        - button "Delete Production"
  `)

  await choose(page, 'create')
  await expect(dialog.getByLabel('Token Name')).toBeFocused()
  await keyboard.type('SDK')
  await keyboard.press('Enter')
  await expect(announced).toHaveText(/Secure token created/)
  const token = await dialog.getByText(/^st_\w{38}$/).innerText()
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - dialog "Your new secure token":
      - heading "Your new secure token" [level=2]
      - code: ${token}
      - button "Copy token"
      - note: This token will not be shown again.
      - region "Send your first request":
        - tablist "Language"
        - tabpanel "cURL":
          - button "Copy cURL example"
        - status: Waiting for the first request…
      - button "Done"
  `)
  await escapeFrom(dialog)
  await choose(page, 'dash')
  await see(page, '2 of 3 steps done')

  const client = new OpenAI({ baseURL: `${origin}/api/proxy/v1`, apiKey: token })
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  const completion = await client.chat.completions.create({ model: 'gpt-4o', messages })
  expect(completion.choices[0]?.message.content).toContain('Hello')
  let streamed = ''
  for await (const event of await client.chat.completions.create({ model: 'gpt-4o-mini', messages, stream: true })) {
    streamed += event.choices[0]?.delta.content ?? ''
  }
  expect(streamed).toContain('Hello')
  const failure = client.withOptions({ apiKey: 'st_wrong', maxRetries: 0 }).models.list()
  await expect(failure).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
  await see(page, 'You are set up')

  await choose(page, 'send')
  await expect(page.getByRole('button', { name: 'Send Request' })).toBeFocused()
  await keyboard.press('Enter')
  await seeToast(page, 'Request Sent')
  await expect(announced).toHaveText(/Request Sent Response: 200/)
  await expect(main).toMatchAriaSnapshot(`
    - heading "API Request Tester" [level=2]
    - tablist "Request and response":
      - tab "Request"
      - tab "Response" [selected]
    - tabpanel "Response":
      - term: Status
      - definition: "200"
      - region "response body"
      - button "Copy response body"
    - button "Send Request"
    - button "Copy as cURL"
    - heading "Recent Request Logs" [level=2]
    - list:
      - listitem:
        - button /200 POST \\/v1\\/chat\\/completions .* View details/
      - listitem:
        - button /200 POST \\/v1\\/chat\\/completions .* View details/
      - listitem:
        - button /200 POST \\/v1\\/chat\\/completions .* View details/
  `)

  await choose(page, 'logs')
  await see(page, '3 requests found')
  await keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await tabTo(page.locator('[data-log]').first())
  await keyboard.press('Enter')
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - main:
      - heading "Request Logs" [level=1]
      - search:
        - searchbox "Search requests"
        - combobox "Status"
        - combobox "Method"
        - button "More filters"
      - paragraph:
        - status: 3 requests found
      - grid "Request history"
      - navigation "Pages"
      - dialog "Request Details":
        - heading "Request Details" [level=2]
        - button "Previous request" [disabled]
        - button "Next request"
        - button "Close"
        - tablist "Parts of the request"
        - tabpanel "Overview":
          - term: Outcome
          - definition: Completed
        - button "Copy link"
        - button "Copy as cURL"
        - button "Download"
        - button "Send again"
  `)
  await expect(dialog).not.toContainText(token)
  await escapeFrom(dialog)

  await fakePayPal(page)
  await choose(page, 'pricing')
  await pressAt(page.getByRole('button', { name: 'Upgrade to Pro' }))
  await expect(main).toMatchAriaSnapshot(`
    - heading "Simple, Transparent Pricing" [level=1]
    - list:
      - listitem:
        - heading "Free" [level=2]
        - button "Current Plan" [disabled]
      - listitem:
        - heading "Pro" [level=2]
        - button "Upgrade to Pro"
      - listitem:
        - heading "Enterprise" [level=2]
        - button "Contact Sales"
    - heading "Complete your upgrade" [level=2]
    - paragraph: Pro Plan, $29 per month
    - button "Pay with PayPal"
  `)
  await pressAt(page.getByRole('button', { name: 'Pay with PayPal' }))
  await pressAt(page.getByRole('button', { name: 'Pay', exact: true }))
  // Pricing loads anew once the order is paid.
  await expect(page).toHaveURL('/pricing')
  await expect(page.getByRole('heading', { name: 'Simple, Transparent Pricing' })).toBeVisible()

  await choose(page, 'profile')
  await tabTo(page.getByRole('tab', { selected: true }))
  await keyboard.press('ArrowRight')
  await pressAt(page.getByRole('button', { name: 'Delete Account' }))
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - alertdialog "Are you absolutely sure?":
      - heading "Are you absolutely sure?" [level=2]
      - paragraph: /This can’t be undone/
      - button "Cancel"
      - button "Delete Account"
  `)
  await pressAt(page.getByRole('alertdialog').getByRole('button', { name: 'Delete Account' }))
  await expect(page).toHaveURL('/auth')
  await page.goBack()
  await see(page, '404 Page Not Found')
  await expect(page.getByRole('button', { name: 'Sign out' })).toHaveCount(0)
})
