import { z } from 'zod'
import { count } from './numbers.ts'
import { excludable, listOf, RequestLogFilters, TagField } from './request-logs.ts'

/** A field whose values are counted, named like its filter; the values of `tag` are tag keys. */
const LogValueField = z.union([z.enum([...excludable, 'tag']), TagField], 'Expected names of filters')
export type LogValueField = z.infer<typeof LogValueField>

export const LogValuesQuery = RequestLogFilters.safeExtend({
  fields: listOf(LogValueField).default(['model', 'endpoint', 'statusCode', 'token', 'key']),
})

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
      .describe('Number of values beyond the list, and their requests. Of a tag, at least 100,000 values are counted.'),
  }),
)
export type LogValues = z.infer<typeof LogValues>
