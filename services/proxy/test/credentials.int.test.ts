import { randomBytes } from 'node:crypto'
import { AzureOpenAI } from 'openai'
import { describe, expect, test } from 'vitest'
import type { CredentialHeader } from '#schemas/credential-header.ts'
import { createVault } from '#shared/vault.ts'
import { apiKeyContext } from '#store/postgres/credentials/api-keys.ts'
import { errorOf, useTestBench } from './gateway.fixture.ts'
import { codeIn, head, RawConnection } from './raw-http.fixture.ts'
import { jsonResponse } from './raw-upstream.fixture.ts'

const bench = await useTestBench()
const gateway = await bench.startGateway()
const { account, upstream } = await bench.createAccountWithUpstream()
const { secret } = account.token
const other = (await bench.createTestAccount()).token.secret

const get = async (...credentials: string[]) => {
  const request = head('GET /api/proxy/v1/models HTTP/1.1', 'Host: gateway', 'Connection: close', ...credentials)
  const { statuses, text } = await new RawConnection(gateway.port).send(request).end()
  return [statuses[0], codeIn(text)]
}

describe('a token comes in any of four headers', () => {
  test.each([
    [200, undefined, [`api-key: ${secret}`]],
    [200, undefined, [`X-Api-Key: ${secret}`]],
    [200, undefined, [`Authorization: Bearer ${secret}`, `x-api-key: ${secret}`, `api-key: ${secret}`]],
    [400, 'ambiguous_credentials', [`Authorization: Bearer ${secret}`, `x-api-key: ${other}`]],
    [400, 'ambiguous_credentials', [`api-key: ${secret}`, 'x-api-key: sk-0123456789abcdef']],
    [400, 'ambiguous_credentials', [`x-api-key: ${secret}`, `x-api-key: ${secret}`]],
    [400, 'ambiguous_credentials', ['Authorization: Basic eDp5', `x-api-key: ${secret}`]],
    [200, undefined, [`x-goog-api-key: ${secret}`]],
    [200, undefined, [`Authorization: Bearer ${secret}`, 'x-goog-api-key: unused']],
    [400, 'ambiguous_credentials', [`x-goog-api-key: ${secret}`, `x-goog-api-key: ${secret}`]],
    [401, 'invalid_token', ['x-goog-api-key: AIza0123456789abcdef']],
    [401, 'invalid_token', ['x-api-key: sk-0123456789abcdef']],
    [401, 'missing_token', ['api-key:']],
  ])('%i, %s: %j', async (status, code, credentials) => {
    expect(await get(...credentials)).toEqual([status, code])
    if (status === 200) expect(upstream.heads.at(-1)).not.toContain(secret)
  })
})

test.each([
  ['its own', {}, ['error']],
  ["Anthropic's", { 'anthropic-version': '2023-06-01' }, ['type', 'error']],
])('a client of %s API gets an error in that shape', async (_api, headers, members) => {
  const response = await fetch(`${gateway.baseURL}/messages`, { method: 'POST', headers })
  const error = (await response.json()) as object
  expect([response.status, Object.keys(error)]).toEqual([401, members])
  const id = response.headers.get('x-request-id')
  expect(response.headers.get('request-id')).toBe('type' in error ? id : null)
  expect(error).toMatchObject({ error: { code: 'missing_token' }, ...('type' in error && { type: 'error' }) })
})

test('provider keys of a lost master key are left out, and one that is entered after it works', async () => {
  const [, first = ''] = bench.environment.MASTER_KEYS.split(':')
  const newer = randomBytes(32)
  const without = await bench.startGateway({ env: { MASTER_KEYS: `1:lost,2:${newer.toString('base64')}` } })
  const user = await bench.createTestAccount({ keys: ['sk-lost', 'sk-entered-again'] })
  expect(await errorOf(await user.fetch(without, '/models'))).toEqual([400, 'no_active_key'])

  const [, id = ''] = user.keyIds
  const context = apiKeyContext(user.accountId, id, bench.providerOrigin)
  const both = new Map([[1, Buffer.from(first, 'base64')] as const, [2, newer] as const])
  const { sql } = bench
  const [row] = await sql<[{ sealed: Buffer }]>`select sealed_key as sealed from api_keys where id = ${id}`
  await sql`update api_keys set sealed_key = ${createVault(both).rewrap(row.sealed, context)} where id = ${id}`
  // Otherwise, the proxy would look the account up again only after some seconds.
  await user.configure({})
  await expect.poll(async () => (await user.fetch(without, '/models')).status).toBe(200)
})

test.each<[CredentialHeader, string]>([
  ['authorization', 'authorization: Bearer sk-primary'],
  ['api-key', 'api-key: sk-primary'],
  ['x-api-key', 'x-api-key: sk-primary'],
  ['x-goog-api-key', 'x-goog-api-key: sk-primary'],
])('the provider gets its key in %s', async (credentialHeader, line) => {
  const { account: azure, upstream: provider } = await bench.createAccountWithUpstream(undefined, {
    config: { credentialHeader },
  })
  expect((await azure.fetch(gateway, '/models')).status).toBe(200)
  const sent = provider.heads.at(-1)!
  expect(sent).toContain(line)
  expect(sent.match(/sk-primary/g)).toHaveLength(1)
})

test.each([
  ['', '/v1/models'],
  ['/v1', '/v1/models'],
  ['/v1beta/openai', '/v1beta/openai/models'],
  ['/openai/v1', '/openai/v1/models'],
])('a base URL with the path "%s" is asked for %s', async (path, target) => {
  const provider = await bench.startUpstream()
  const behind = await bench.createTestAccount({ config: { baseUrl: provider.origin + path } })
  expect((await behind.fetch(gateway, '/models?limit=1')).status).toBe(200)
  expect(provider.heads.at(-1)).toMatch(new RegExp(`^GET ${target}\\?limit=1 HTTP/1.1`))
})

test("Azure's client works against a base URL that ends in `/openai`", async () => {
  const provider = await bench.startUpstream((socket) => socket.write(jsonResponse('{"choices":[]}')))
  const config = { baseUrl: `${provider.origin}/openai`, credentialHeader: 'api-key' as const }
  const azure = await bench.createTestAccount({ config })
  const client = new AzureOpenAI({ apiKey: azure.token.secret, baseURL: gateway.baseURL, apiVersion: '2024-10-21' })
  await client.chat.completions.create({ model: 'my-gpt', messages: [{ role: 'user', content: 'Hello' }] })
  const sent = provider.heads.at(-1)!
  expect(sent).toMatch(/^POST \/openai\/deployments\/my-gpt\/chat\/completions\?api-version=2024-10-21 /)
  expect(sent).toContain('api-key: sk-primary')
  expect(sent).not.toMatch(/^authorization:/im)
})
