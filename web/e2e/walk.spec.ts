import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import OpenAI from 'openai'
import { password } from './support/accounts.ts'
import { escapeFrom, see, seeToast } from './support/assertions.ts'
import { test } from './support/test.ts'

test.use({ visitor: 'guest' })

test('a new account comes to its first request in three steps, and sees what an SDK sends', async ({
  page,
  origin,
}) => {
  const username = `walker-${randomUUID().slice(0, 8)}`

  await page.goto('/')
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
  const token = await dialog.getByText(/^st_\w{38}$/).innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Dashboard' }).click()
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
  await expect(page.getByRole('button', { name: /POST \/v1\/chat\/completions/ })).toHaveCount(2)
  await page.getByRole('button', { name: /gpt-4o-mini/ }).click()
  const details = page.getByRole('dialog', { name: 'Request Details' })
  await expect(details.getByText('Completed')).toBeVisible()
  await expect(details).not.toContainText(token)
  await escapeFrom(details)

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/auth')
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Sign out' })).toHaveCount(0)
})
