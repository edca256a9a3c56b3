import { expect, test } from 'vitest'
import { z } from 'zod'
import { sampleValue } from './json-sample.ts'

const schemas = {
  scalars: z.strictObject({
    text: z.string().min(10).max(12),
    day: z.iso.date(),
    mail: z.email(),
    id: z.uuid(),
    count: z.int().gt(5).lt(9),
    tenth: z.number().min(0.2).max(0.3),
    even: z.number().multipleOf(2).min(3),
    yes: z.boolean(),
    nothing: z.null(),
  }),
  choices: z.strictObject({
    kind: z.enum(['a', 'b']),
    fixed: z.literal('x'),
    maybe: z.string().nullable(),
    either: z.union([z.strictObject({ type: z.literal('one'), one: z.number() }), z.strictObject({ two: z.string() })]),
  }),
  lists: z.strictObject({ many: z.array(z.string()).min(3), none: z.array(z.string()).max(0) }),
  tuple: z.tuple([z.string(), z.number()]),
}

test.each(Object.entries(schemas))('makes a value that fits: %s', (_, schema) => {
  const value = sampleValue(z.toJSONSchema(schema))
  expect(schema.safeParse(value).error).toBeUndefined()
})

test('ends recursive schemas', () => {
  const Node = z.strictObject({
    name: z.string(),
    get next() {
      return Node.nullable()
    },
    get children() {
      return z.array(Node)
    },
  })
  const value = sampleValue(z.toJSONSchema(Node))
  expect(Node.safeParse(value).error).toBeUndefined()
  expect(JSON.stringify(value).length).toBeLessThan(10_000)
})
