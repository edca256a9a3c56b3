import { z } from 'zod'

const JsonSchema = z.object({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
})

/** A value of the JSON schema's type. References, unions, formats and lengths are ignored. */
export function sampleValue(schema: unknown): unknown {
  const { data } = JsonSchema.safeParse(schema)
  if (!data) return null
  const { type, enum: values, properties = {}, items, minimum = 1 } = data
  if (values) return values[0]
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, sampleValue(child)]))
  if (type === 'array') return [sampleValue(items)]
  if (type === 'string') return 'sample'
  if (type === 'integer' || type === 'number') return minimum
  return type === 'boolean' ? true : null
}
