import { z } from 'zod'
import { checkFilters, filterFields, listOf } from './request-logs.ts'

/** Fields whose values are counted, by the names of their filters; `tag` has the keys of tags as its values. */
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
 * How many of the matching requests have each value of a field. A filter of the field itself is not applied to it, so
 * that further values can be chosen. Source: product.md 8.16.
 */
export const LogValues = z.array(
  z.object({
    field: z.string(),
    /** Those with the most requests first, as filters take them; empty: none. */
    values: z.array(z.object({ value: z.string(), requests: count })),
    /** Values that are not in the list, and their requests. */
    others: z.object({ values: count, requests: count }),
  }),
)
export type LogValues = z.infer<typeof LogValues>
