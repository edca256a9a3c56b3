import { randomUUID } from 'node:crypto'
import OpenAI from 'openai'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '#tools/test/browser.ts'
import { password } from './accounts.ts'
import { see, seeToast, settles } from './assertions.ts'
import { withPage } from './visit.ts'

let browser: Browser
let url: string

beforeAll(async () => {
  const opened = await openBrowser()
  browser = opened.browser
  url = opened.stackUrl
})
afterAll(() => browser?.close())

test('a new account comes to its first request in three steps, and sees what an SDK sends', () =>
  withPage(browser, { viewport: { width: 1440, height: 900 } }, async (page) => {
    const username = `walker-${randomUUID().slice(0, 8)}`

    await page.goto(url)
    await page.getByRole('button', { name: 'Get Started' }).click()
    await page.getByRole('tab', { name: 'Register' }).click()
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Email').fill(`${username}@example.com`)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await see(page, '0 of 3 steps done')

    await page.getByRole('link', { name: 'Add API Key' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Production')
    await page.getByLabel('API Key', { exact: true }).fill('sk-walk')
    await page.getByRole('button', { name: 'Add Key' }).click()
    await seeToast(page, 'API key added successfully')
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await see(page, '1 of 3 steps done')

    await page.getByRole('link', { name: 'Create Token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Token Name').fill('SDK')
    await dialog.getByRole('button', { name: 'Create Token' }).click()
    const token = (await dialog.locator('code').textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await see(page, '2 of 3 steps done')

    const client = new OpenAI({ baseURL: `${url}/api/proxy/v1`, apiKey: token })
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
    await settles(() => page.getByRole('button', { name: /POST \/v1\/chat\/completions/ }).count(), 2)
    await page.getByRole('button', { name: /gpt-4o-mini/ }).click()
    const details = page.getByRole('dialog', { name: 'Request Details' })
    await details.getByText('Completed').waitFor()
    expect(await details.textContent()).not.toContain(token)
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/auth')
    await page.goBack()
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'detached' })
  }))
