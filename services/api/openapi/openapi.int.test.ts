import { Validator } from '@seriousme/openapi-schema-validator'
import { type AnySchema, Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { httpErrors, proxyErrors } from '#schemas/proxy-errors.ts'
import { testApi } from '../test/api.fixture.ts'

type Content = Record<string, { schema: AnySchema; example?: object | string }>
type Response = { content?: Content }
interface Operation {
  operationId: string
  tags: string[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
  security: object[]
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Response> }
}

const routes: string[] = []
const api = await testApi({}, (app) =>
  app.addHook('onRoute', ({ method, url, schema }) => {
    if (schema?.hide || !url.startsWith('/api/')) return
    for (const each of [method].flat()) {
      if (each !== 'HEAD') routes.push(`${each.toLowerCase()} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
    }
  }),
)
const document: Document = (await api.app.inject('/api/openapi.json')).json()

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  )

test('the document is valid OpenAPI 3.1', async () => {
  expect(document.openapi).toBe('3.1.0')
  expect(await new Validator().validate(document as object as Record<string, unknown>)).toEqual({ valid: true })
})

test('it contains every route of the control plane, and the documented routes of the proxy', () => {
  const documented = operations().map(({ name }) => name)
  const proxied = documented.filter((name) => name.includes(' /api/proxy/v1/'))
  expect(proxied).toEqual([
    'post /api/proxy/v1/chat/completions',
    'post /api/proxy/v1/completions',
    'post /api/proxy/v1/embeddings',
    'post /api/proxy/v1/images/generations',
    'get /api/proxy/v1/models',
  ])
  expect(documented.filter((name) => !proxied.includes(name)).toSorted()).toEqual(routes.toSorted())
})

test('every operation has one tag and a name of its own', () => {
  for (const { name, operation } of operations()) expect(operation.tags, name).toHaveLength(1)
  const names = operations().map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual(expect.arrayContaining(['putKeysByIdPrimary', 'createChatCompletion']))
})

test('every operation documents its responses, including errors', () => {
  for (const { name, operation } of operations()) {
    const statuses = Object.keys(operation.responses)
    for (const group of [/^[23]/, /^4/, /^5/])
      expect(
        statuses.filter((status) => group.test(status)),
        name,
      ).not.toEqual([])
  }
})

test('the proxied operations document every error of the proxy that a token can get there', () => {
  // These need another path or method, a session, or an upgrade.
  const elsewhere = new Set([404, 405, 409, 421, 501])
  const own = Object.values(proxyErrors).map(({ status }) => status)
  const possible = new Set([...own, ...Object.keys(httpErrors).map(Number)].filter((status) => !elsewhere.has(status)))
  for (const { name, operation } of operations()) {
    if (!name.includes(' /api/proxy/v1/')) continue
    const documented = Object.keys(operation.responses).filter((status) => status !== '200')
    expect(documented, name).toEqual([...possible].toSorted((a, b) => a - b).map(String))
  }
})

test('every body and every response has an example that its schema accepts', () => {
  // Patterns already check the formats.
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const shared = { requestBody: undefined, responses: document.components.responses }
  const all = [...operations(), { name: 'errors', operation: shared }]
  const wrong = all.flatMap(({ name, operation: { requestBody, responses } }) =>
    [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.entries(part?.content ?? {}).flatMap(([type, { schema, example }]) => {
        if (/^image|parquet/.test(type) || (example !== undefined && ajv.validate(schema, example))) return []
        return { name, type, example, error: ajv.errorsText() }
      }),
    ),
  )
  expect(wrong).toEqual([])
})

test('the example of every body can be sent', async () => {
  const ann = await api.register()
  const invalid: string[] = []
  for (const { name, operation } of operations()) {
    const { example } = operation.requestBody?.content['application/json'] ?? {}
    if (typeof example !== 'object' || name.includes(' /api/proxy/v1/')) continue
    const [method, path] = name.split(' ')
    const url = path!.replaceAll(/\{\w+\}/g, '0199a000-0000-7000-8000-000000000001')
    const { statusCode } = await ann.call(method as 'GET', url, example)
    if (statusCode === 400) invalid.push(name)
  }
  // Names a webhook that does not exist.
  expect(invalid).toEqual(['post /api/alerts'])
})

test('every operation that needs a session documents it', async () => {
  for (const { name, operation } of operations()) {
    if (name.includes(' /api/proxy/v1/')) continue
    const [method, path] = name.split(' ')
    const url = path!.replaceAll(/\{\w+\}/g, '0199a000-0000-7000-8000-000000000001')
    const response = await api.app.inject({ method: method as 'GET', url })
    expect(response.statusCode === 401, name).toBe(operation.security.length > 0 || name === 'get /api/user')
  }
})

test('the reference page has no external resources, and its policy allows its script', async () => {
  expect((await api.app.inject('/api/reference')).headers.location).toBe('/api/reference/')
  const page = await api.app.inject('/api/reference/')
  expect(page.statusCode).toBe(200)
  expect(page.body).not.toMatch(/(?:src|href)="https?:/)
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/=]+'/)
  const script = await api.app.inject('/api/reference/js/scalar.js')
  expect(script.headers['content-type']).toContain('javascript')
})
