import { z } from 'zod'

interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  minimum?: number
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
}

const JsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    minimum: z.number().optional(),
    properties: z.record(z.string(), JsonSchema).optional(),
    items: JsonSchema.optional(),
  }),
)

/** A value of the schema's type. References, unions, formats and lengths are ignored. */
export const sampleValue = (schema: unknown): unknown => sample(JsonSchema.safeParse(schema).data ?? {})

function sample(schema: JsonSchema): unknown {
  const { type, properties, items } = schema
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (type === 'object' || properties)
    return Object.fromEntries(Object.entries(properties ?? {}).map(([name, child]) => [name, sample(child)]))
  if (type === 'array' || items) return [sample(items ?? {})]
  if (type === 'string') return 'sample'
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  return type === 'boolean' ? true : null
}
