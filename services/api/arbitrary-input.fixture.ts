import fc from 'fast-check'
import { z } from 'zod'
import { password } from './api.fixture.ts'

/** As much of JSON Schema as our documents use. */
interface JsonSchema {
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

export const Operation = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string(), schema: z.custom<JsonSchema>() })).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.custom<JsonSchema>() })) }).optional(),
})
export type Operation = z.infer<typeof Operation>

export interface Input {
  params: Record<string, string>
  /** Whether the id in the path is one of the caller's own. */
  isOwn: boolean
  query: string
  body: unknown
}

/** What has broken others: empty, huge, of another type, and text that means something elsewhere. */
const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202e',
    'ﬁ',
    '__proto__',
    "' or 1=1 --",
    '%00',
    '../../etc/passwd',
    '{{7*7}}',
    'x'.repeat(20_000),
    -1,
    0.1,
    1e308,
    2 ** 53,
    null,
    true,
    [],
    {},
    [[[[]]]],
    { toString: 1, length: -1 },
  ),
  fc.string({ unit: 'binary' }),
  fc.jsonValue(),
)

const passwords = fc.constantFrom(password, 'another long secret')

/** Values that a schema can't describe and that make a difference. */
const byName: Record<string, fc.Arbitrary<unknown>> = {
  username: fc.stringMatching(/^[a-zA-Z0-9._+-]{3,12}$/),
  email: fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.test$/),
  password: passwords,
  currentPassword: passwords,
  newPassword: passwords,
  confirmPassword: passwords,
  code: fc.stringMatching(/^\d{6}$/),
  expiresAt: fc.constantFrom('2000-01-01', '2099-12-31', '2026-02-30'),
  monthlyBudgetUsd: fc.constantFrom(0, 1.5, 0.00001, -1, null),
  baseUrl: fc.constantFrom(
    'http://127.0.0.1:1',
    'http://127.1:1/v1/',
    'http://10.0.0.1',
    'http://[::1]',
    'http://a b',
    'ftp://x',
  ),
  timezone: fc.constantFrom('UTC', 'Asia/Tokyo', 'Mars/Olympus'),
  allowedAddresses: fc.constantFrom(null, [], ['192.0.2.1'], ['::/0'], ['10.0.0.0/99']),
}

function fitting(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
  if (byName[name]) return byName[name]
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const options = schema.anyOf ?? schema.allOf
  if (options) return fc.oneof(...options.map((option) => fitting(option, name)))
  const type = [schema.type].flat()[0]
  if (type === 'string') return fittingText(schema)
  if (type === 'integer')
    return fc.integer({
      min: Math.max(schema.minimum ?? -10, -(2 ** 31)),
      max: Math.min(schema.maximum ?? 2_000, 2 ** 31 - 1),
    })
  if (type === 'number') return fc.double({ min: schema.minimum ?? -10, max: schema.maximum ?? 2_000, noNaN: true })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array') return fc.array(fitting(schema.items ?? {}), { maxLength: 4 })
  if (type !== 'object') return fc.jsonValue()
  const fields = Object.entries(schema.properties ?? {}).map(([key, value]) => [key, fitting(value, key)] as const)
  return fc.record<Record<string, unknown>, string>(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] })
}

function fittingText({ format, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'email') return fc.emailAddress()
  if (format === 'uuid') return fc.uuid()
  if (format === 'date')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2199-01-01') })
      .map((date) => date.toISOString().slice(0, 10))
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) })
}

/** A fitting value with some of its fields replaced, removed or added. */
const mutated = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(value, fc.array(fc.tuple(fc.nat(), hostile, fc.boolean()), { minLength: 1, maxLength: 3 }), hostile)
    .map(([whole, changes, extra]) => {
      if (typeof whole !== 'object' || whole === null) return extra
      const fields = { ...whole } as Record<string, unknown>
      for (const [at, replacement, isRemoved] of changes) {
        const keys = [...Object.keys(fields), 'id', 'accountId']
        const key = keys[at % keys.length]!
        if (isRemoved) delete fields[key]
        else fields[key] = replacement
      }
      return fields
    })

/** Half of them fit the schema of the operation, the others nearly do or not at all. */
export function inputOf({ parameters, requestBody }: Operation): fc.Arbitrary<Input> {
  const named = (place: string): fc.Arbitrary<Record<string, string>> => {
    const fields = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema }) => [name, fc.oneof(fitting(schema, name), hostile).map(toText)] as const)
    const required = place === 'path' ? fields.map(([name]) => name) : []
    return fc.record<Record<string, string>, string>(Object.fromEntries(fields), { requiredKeys: required })
  }
  const schema = requestBody?.content['application/json']?.schema
  const body = schema
    ? fc.oneof(
        { weight: 4, arbitrary: fitting(schema) },
        { weight: 3, arbitrary: mutated(fitting(schema)) },
        { weight: 1, arbitrary: hostile },
      )
    : fc.constant(undefined)
  return fc.record({
    params: named('path'),
    isOwn: fc.boolean(),
    query: named('query').map((query) => new URLSearchParams(query).toString()),
    body,
  })
}

const toText = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed().slice(0, 5_000)
