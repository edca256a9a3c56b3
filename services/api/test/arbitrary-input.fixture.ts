import fc from 'fast-check'
import sharp from 'sharp'
import { z } from 'zod'
import type { JsonSchema } from '../openapi/json-schema.ts'
import { password } from './api.fixture.ts'

export const Operation = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string(), schema: z.custom<JsonSchema>() })).default([]),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.custom<JsonSchema>() })) }).optional(),
})
type Operation = z.infer<typeof Operation>

export interface Input {
  params: Record<string, string>
  /** Owner of the resource whose id replaces a path parameter, if the path names a resource. */
  owner: 'own account' | 'other account' | 'none'
  query: string
  headers: Record<string, string>
  body: { type: string; payload: string | Buffer } | undefined
}

/** Values that often break software: empty, huge, of another type, or with a special meaning elsewhere. */
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
    -1e308,
    2 ** 53,
    'NaN',
    'Infinity',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999-23:59',
    '+275760-09-13',
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

const onePixel = await Promise.all(
  (['png', 'jpeg', 'webp'] as const).map(async (format) => ({
    type: `image/${format}`,
    bytes: await sharp({ create: { width: 1, height: 1, channels: 3, background: '#336699' } })
      .toFormat(format)
      .toBuffer(),
  })),
)

const passwords = fc.constantFrom(password, 'another long secret')

const mostly = (usual: unknown[], rare: unknown[]) =>
  fc.oneof({ weight: 7, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) })

/** Mostly times that have logs, otherwise the first and the last valid ones. */
const moments = (min: string, max: string) =>
  fc.oneof(
    {
      weight: 7,
      arbitrary: fc
        .date({ noInvalidDate: true, min: new Date(min), max: new Date(max) })
        .map((date) => date.toISOString()),
    },
    { weight: 1, arbitrary: fc.constantFrom('1970-01-01T00:00:00Z', '2199-12-31T23:59:59.999Z') },
  )

/** Values that the schema alone can't generate. */
const byName: Record<string, fc.Arbitrary<unknown>> = {
  username: fc.stringMatching(/^[a-zA-Z0-9._+-]{3,12}$/),
  email: fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.test$/),
  password: passwords,
  currentPassword: passwords,
  newPassword: passwords,
  confirmPassword: passwords,
  code: fc.stringMatching(/^\d{6}$/),
  expiresAt: mostly(['2099-12-31', '2038-01-19'], ['2000-01-01', '2026-02-30']),
  monthlyBudgetUsd: mostly([0, 1.5, null], [0.00001, -1]),
  input: mostly([0, 0.075, 10_000], [-1, 0.000_000_1]),
  cachedInput: mostly([0, 0.018_75, null], [10_001]),
  output: mostly([0, 2.5], [-1, 0.000_000_1]),
  perRequest: mostly([0.04, null], [-1]),
  cacheWrite: mostly([3.75, null], [-1]),
  audioInput: mostly([1, null], ['1']),
  longPrompts: mostly([{ aboveTokens: 200_000, input: 2.5, output: 15 }, null], [{ aboveTokens: 0 }]),
  baseUrl: mostly(
    ['http://127.0.0.1:1', 'http://127.1:1/v1/'],
    ['http://10.0.0.1', 'http://[::1]', 'http://a b', 'ftp://x'],
  ),
  timezone: mostly(['UTC', 'Asia/Tokyo', 'America/New_York'], ['Mars/Olympus']),
  language: mostly(['en', 'de-CH', 'zh-Hant'], ['??']),
  allowedAddresses: mostly([null, [], ['192.0.2.1'], ['::/0']], [['10.0.0.0/99']]),
  // In a query, the schema describes lists as text.
  timeRange: fc.constantFrom('24h', '7d', '30d', '90d'),
  from: moments('2026-01-01', '2026-06-30'),
  to: moments('2026-07-01', '2027-06-30'),
  token: fc.oneof(fc.uuid(), fc.constant('none')),
  key: fc.oneof(fc.uuid(), fc.constant('none')),
  statusCode: fc.constantFrom('200', '0,404,500'),
  outcome: fc.constantFrom('completed', 'client_aborted,interrupted'),
  status: fc.constantFrom('all', 'success', 'error', '4xx', '429'),
}

function valid(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
  if (byName[name]) return byName[name]
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const options = schema.anyOf ?? schema.allOf
  if (options) return fc.oneof(...options.map((option) => valid(option, name)))
  const type = [schema.type].flat()[0]
  if (type === 'string') return validText(schema)
  if (type === 'integer')
    return fc.integer({
      min: Math.max(schema.minimum ?? -10, -(2 ** 31)),
      max: Math.min(schema.maximum ?? 2_000, 2 ** 31 - 1),
    })
  if (type === 'number') return fc.double({ min: schema.minimum ?? -10, max: schema.maximum ?? 2_000, noNaN: true })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array') return fc.array(valid(schema.items ?? {}), { maxLength: 4 })
  if (type !== 'object') return fc.jsonValue()
  const fields = Object.entries(schema.properties ?? {}).map(([key, value]) => [key, valid(value, key)] as const)
  return fc.record<Record<string, unknown>, string>(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] })
}

function validText({ format, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'email') return fc.emailAddress()
  if (format === 'uuid') return fc.uuid()
  if (format === 'date')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2199-01-01') })
      .map((date) => date.toISOString().slice(0, 10))
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) })
}

/** A valid value with some of its fields replaced, removed or added. */
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

/** Parameters that no operation has. */
const unknownParameters = fc.oneof(
  { weight: 7, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { maxKeys: 2 }) },
)

/** Pictures, some of them corrupt. */
const pictures = fc
  .tuple(
    fc.constantFrom(...onePixel),
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }),
    fc.option(fc.nat({ max: 200 })),
  )
  .map(([{ type, bytes }, changes, length]) => {
    const payload = Buffer.from(bytes).subarray(0, length ?? undefined)
    for (const [at, byte] of changes) if (payload.length > 0) payload[at % payload.length] = byte
    return { type, payload }
  })

const paymentIds = fc.oneof(fc.constantFrom('{order}', '{capture}', 'SOMEBODYELSES'), hostile)

/** Webhook events; `{order}` and `{capture}` are replaced by ids of the user. */
const paymentEvent = fc.record({
  id: fc.stringMatching(/^WH-\w{1,8}$/),
  event_type: fc
    .constantFrom('COMPLETED', 'PENDING', 'DENIED', 'DECLINED', 'REFUNDED', 'REVERSED', 'x')
    .map((end) => `PAYMENT.CAPTURE.${end}`),
  resource: fc.record(
    {
      id: paymentIds,
      links: fc.array(
        fc.record({ rel: fc.constantFrom('up', 'self'), href: paymentIds.map((id) => `/v2/${toText(id)}`) }),
        {
          maxLength: 3,
        },
      ),
      supplementary_data: fc.record({
        related_ids: fc.record({ order_id: paymentIds, capture_id: paymentIds }, { requiredKeys: [] }),
      }),
    },
    { requiredKeys: [] },
  ),
})

/** Half of the inputs match the schema of the operation. */
export function inputOf({ parameters, requestBody }: Operation): fc.Arbitrary<Input> {
  const named = (place: string): fc.Arbitrary<Record<string, string>> => {
    const placed = parameters.filter((parameter) => parameter.in === place)
    const each = (valueOf: (schema: JsonSchema, name: string) => fc.Arbitrary<unknown>) =>
      fc.record<Record<string, string>, string>(
        Object.fromEntries(placed.map(({ name, schema }) => [name, valueOf(schema, name).map(toText)])),
        { requiredKeys: place === 'path' ? placed.map(({ name }) => name) : [] },
      )
    return fc.oneof(
      each(valid).map(withOneRange),
      each((schema, name) => fc.oneof(valid(schema, name), hostile)),
    )
  }
  return fc.record({
    params: named('path'),
    owner: fc.constantFrom('own account', 'other account', 'none'),
    query: fc
      .tuple(named('query'), unknownParameters)
      .map(([query, unknown]) => new URLSearchParams({ ...query, ...unknown }).toString()),
    headers: named('header').map((headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll(/[^\x20-\x7e]/g, '')])),
    ),
    body: bodyOf(requestBody),
  })
}

function bodyOf(requestBody: Operation['requestBody']): fc.Arbitrary<Input['body']> {
  if (!requestBody) return fc.option(hostile.map(toJson), { nil: undefined })
  const schema = requestBody.content['application/json']?.schema
  if (!schema) return pictures
  // A plain-text body is a webhook, which is parsed after its signature is verified.
  const matching = schema.type === 'string' ? paymentEvent : valid(schema)
  return fc
    .oneof(
      { weight: 4, arbitrary: matching },
      { weight: 3, arbitrary: mutated(matching) },
      { weight: 1, arbitrary: hostile },
    )
    .map(toJson)
}

const toJson = (body: unknown) => ({ type: 'application/json', payload: JSON.stringify(body) })

/** A range has either a name or ends, not both. */
function withOneRange(query: Record<string, string>): Record<string, string> {
  const { timeRange: _timeRange, ...others } = query
  return 'from' in others || 'to' in others ? others : query
}

const toText = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed().slice(0, 5_000)
