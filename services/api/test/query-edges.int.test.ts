import { expect, test } from 'vitest'
import { testApi } from './api.fixture.ts'
import type { JsonSchema } from '../openapi/json-schema.ts'
import { controlPlaneOperations } from './operations.fixture.ts'

const api = await testApi()
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
const texts = ['', '-1', '1e300', '\u0000', '\ud800', '%', "'", '\\', 'x'.repeat(9_000), '[object Object]', '__proto__']
/** To a parameter of any text, most numbers and times are words like others. */
const valuesOf = ({ type, format, pattern, enum: words }: JsonSchema) =>
  type === 'string' && !format && !pattern && !words ? texts : [...numbers, ...moments, ...texts]
const isMoment = (name: string) => name === 'from' || name === 'to'

const ask = (path: string, name: string, place: string, value: string) =>
  place === 'header'
    ? ann.open(path, { [name]: value.replaceAll(/[^\x20-\x7e]/g, '') })
    : ann.open(`${path}?${new URLSearchParams({ [name]: value.toWellFormed() }).toString()}`)

test.each(parameters)('row 66: $path handles any value of $name', async ({ path, name, place, schema }) => {
  const url = path.replaceAll(/\{\w+\}/g, 'x')
  for (const value of valuesOf(schema)) {
    const { statusCode, body } = await ask(url, name, place, value)
    expect(statusCode, `${value.slice(0, 40)}: ${body}`).toBeLessThan(500)
    if (isMoment(name)) expect(statusCode, value).toBe(400)
    await api.state.flushdb()
  }
})

const ranged = [...new Set(parameters.filter(({ name }) => name === 'to').map(({ path }) => path))]
const [first, last] = ['1970-01-01T00:00:00Z', '2199-12-31T23:59:59Z']

test.each(ranged)('row 66: %s supports the whole time range, and rejects a reversed one', async (path) => {
  for (const query of [`from=${first}&to=${last}`, `from=${last}`, `to=${first}`, `from=${first}`, `to=${last}`]) {
    const { statusCode, body } = await ann.open(`${path}?${query}`)
    expect(statusCode, `${query}: ${body}`).toBeLessThan(500)
  }
  expect((await ann.open(`${path}?from=${last}&to=${first}`)).statusCode).toBe(400)
})

test('row 66: rejects numbers out of range', async () => {
  const limited = parameters.filter(({ name }) => /^(?:limit|offset|m\w+ResponseTime|last-event-id)$/.test(name))
  expect(new Set(limited.map(({ name }) => name)).size).toBe(5)
  for (const { path, name, place } of limited) {
    for (const value of ['-1', '1e300', '9007199254740993', 'NaN']) {
      expect((await ask(path, name, place, value)).statusCode, `${path} ${name} ${value}`).toBe(400)
    }
  }
})
