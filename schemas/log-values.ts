import { z } from 'zod'
import { checkFilters, filterFields, listOf } from './request-logs.ts'

/** Fields whose values are counted, named like their filters; the values of `tag` are tag keys. */
export type LogValueField =
  | 'model'
  | 'endpoint'
  | 'statusCode'
  | 'outcome'
  | 'token'
  | 'key'
  | 'errorCode'
  | 'cache'
  | 'tag'
  | `tag:${string}`

const LogValueField = z
  .string()
  .regex(
    /^(model|endpoint|statusCode|outcome|token|key|errorCode|cache|tag|tag:[\w.-]{1,64})$/,
    'Expected names of filters',
  )
  .transform((name) => name as LogValueField)

export const LogValuesQuery = z
  .strictObject({
    ...filterFields,
    fields: listOf(LogValueField).default(['model', 'endpoint', 'statusCode', 'token', 'key']),
  })
  .superRefine(checkFilters)

const count = z.number().int().nonnegative()

/**
 * How many matching requests have each value of a field. The field's own filter is ignored, so that further values can
 * be chosen. Source: product.md 8.16.
 */
export const LogValues = z.array(
  z.object({
    field: z.string(),
    values: z
      .array(z.object({ value: z.string(), requests: count }))
      .describe('Most requests first, in the form that filters accept; empty: none.'),
    others: z
      .object({ values: count, requests: count })
      .describe('Number of values beyond the list, and their requests.'),
  }),
)
export type LogValues = z.infer<typeof LogValues>
