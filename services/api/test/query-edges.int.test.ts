import { expect, test } from 'vitest'
import { z } from 'zod'
import { testApi } from './api.fixture.ts'
import type { JsonSchema } from '../openapi/json-schema.ts'
import { controlPlaneOperations } from './operations.fixture.ts'

const querySchemas = new Map<string, unknown>()
const api = await testApi({}, (app) => {
  app.addHook('onRoute', ({ url, schema }) => {
    if (schema?.querystring) querySchemas.set(url, schema.querystring)
  })
})
const ann = await api.register()
await api.sql`update accounts set is_operator = true where username = ${ann.username}`

const parameters = (await controlPlaneOperations(api))
  .filter(({ method }) => method === 'GET')
  .flatMap(({ path, operation }) => operation.parameters.map(({ in: place, ...rest }) => ({ path, place, ...rest })))
  .filter(({ place }) => place !== 'path')

const numbers = ['-1e300', '1e21', '9007199254740993', 'NaN', 'Infinity', '0x1p4', '1.5']
const moments = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '1899-12-31T23:59:59Z',
  '2300-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-23:59',
  '+275760-09-13T00:00:00Z',
  '2026-02-30T00:00:00Z',
]
const hostileTag = "a:\u0000\ud800%'\\"
const texts = [
  '',
  '-1',
  '1e300',
  '\u0000',
  '\ud800',
  '%',
  "'",
  '\\',
  '[object Object]',
  '__proto__',
  'x'.repeat(9_000),
  hostileTag,
]
/** To a parameter of any text, most numbers and times are words like others. */
const valuesOf = ({ type, format, pattern, enum: words }: JsonSchema) =>
  type === 'string' && !format && !pattern && !words ? texts : [...numbers, ...moments, ...texts]
const isMoment = (name: string) => name === 'from' || name === 'to'
const isLimited = (name: string) => /^(?:limit|offset|m\w+ResponseTime|last-event-id)$/.test(name)
const mustBeRejected = (name: string, value: string) =>
  isMoment(name) || (isLimited(name) && ['-1', '1e300', '9007199254740993', 'NaN'].includes(value))

/** Parameters without which a route rejects every call. */
const required: Record<string, Record<string, string>> = {
  '/api/analytics/groups': { groupBy: 'model' },
  '/api/analytics/changes': { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
}

const open = (path: string, query: Record<string, string>, headers?: Record<string, string>) =>
  ann.open(`${path}?${new URLSearchParams({ ...required[path], ...query }).toString()}`, headers)

const ask = (path: string, name: string, place: string, value: string) =>
  place === 'header'
    ? open(path, {}, { [name]: value.replaceAll(/[^\x20-\x7e]/g, '') })
    : open(path, { [name]: value.toWellFormed() })

/** By the schema of a parameter, which many routes may share: the values that it accepts. */
const accepted = new Map<unknown, string[]>()

function schemaOf(path: string, name: string): unknown {
  const query = querySchemas.get(path)
  return (query instanceof z.ZodObject && query.shape[name]) || `${path} ${name}`
}

test.each([...new Set(parameters.map(({ path }) => path))])(
  'row 66: %s handles any value of a parameter',
  async (path) => {
    const url = path.replaceAll(/\{\w+\}/g, 'x')
    for (const { name, place, schema } of parameters.filter((each) => each.path === path)) {
      const known = accepted.get(schemaOf(path, name))
      const passed = []
      // What a schema has rejected once it rejects on each route; of the rest, the worst values are enough there.
      for (const value of known?.slice(-2) ?? valuesOf(schema)) {
        const { statusCode, body } = await ask(url, name, place, value)
        expect(statusCode, `${name}=${value.slice(0, 40)}: ${body}`).toBeLessThan(500)
        if (mustBeRejected(name, value)) expect(statusCode, `${name}=${value}`).toBe(400)
        if (statusCode < 400) passed.push(value)
      }
      if (!known) accepted.set(schemaOf(path, name), passed)
      await api.state.flushdb()
    }
  },
)

const ranged = [...new Set(parameters.filter(({ name }) => name === 'to').map(({ path }) => path))]
const [first, last] = ['1970-01-01T00:00:00Z', '2199-12-31T23:59:59Z']
const ranges: Record<string, string>[] = [
  { from: first, to: last },
  { from: last },
  { to: first },
  { from: first },
  { to: last },
]

test.each(ranged)('row 66: %s supports the whole time range, and rejects a reversed one', async (path) => {
  for (const range of ranges) {
    const { statusCode, body } = await open(path, range)
    expect(statusCode, `${JSON.stringify(range)}: ${body}`).toBeLessThan(500)
  }
  expect((await open(path, { from: last, to: first })).statusCode).toBe(400)
})

test('row 66: the numbers whose range is checked', () => {
  expect(new Set(parameters.map(({ name }) => name).filter(isLimited)).size).toBe(5)
})
