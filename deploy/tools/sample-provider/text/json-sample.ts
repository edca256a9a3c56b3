export type JsonSchema = Record<string, unknown>

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const recordsIn = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback)

/** From this depth on only what is required is made, so that recursive schemas come to an end. */
const leanDepth = 4
const maxDepth = 32

const formats: Record<string, string> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'PT1H',
  email: 'sample@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com/',
}

const sampleString = (schema: JsonSchema): string => {
  const text = formats[String(schema.format)] ?? 'sample'
  return text.padEnd(numberOr(schema.minLength, 0), 'x').slice(0, numberOr(schema.maxLength, Infinity))
}

const sampleNumber = (schema: JsonSchema, integer: boolean): number => {
  const step = numberOr(schema.multipleOf, integer ? 1 : 0)
  const low = Math.max(numberOr(schema.minimum, -Infinity), numberOr(schema.exclusiveMinimum, -Infinity))
  const high = Math.min(numberOr(schema.maximum, Infinity), numberOr(schema.exclusiveMaximum, Infinity))
  const gap = step || (Number.isFinite(high - low) ? (high - low) / 2 : 1)
  let value = Math.min(Math.max(1, low), high)
  if (step) value = Math.ceil(value / step) * step
  if (value === schema.exclusiveMinimum || value < low) value += gap
  if (value === schema.exclusiveMaximum || value > high) value -= gap
  return value
}

const resolveReference = (root: JsonSchema, reference: string): JsonSchema => {
  const target = reference
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (value, name) => (isRecord(value) ? value[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      root,
    )
  return isRecord(target) ? target : {}
}

/** What ends a recursion: anything but a reference, an object or an array. */
const isLeaf = (schema: JsonSchema): boolean =>
  schema.$ref === undefined && schema.properties === undefined && schema.items === undefined

const typeOf = (schema: JsonSchema): string | undefined => {
  const { type } = schema
  if (typeof type === 'string') return type
  if (Array.isArray(type)) return String(type.find((name) => name !== 'null') ?? 'null')
  if (isRecord(schema.properties)) return 'object'
  return schema.items === undefined ? undefined : 'array'
}

/** A value that fits the schema. Patterns, conditions and negations are not looked at. */
export const sampleValue = (schema: JsonSchema, root: JsonSchema = schema, depth = 0): unknown => {
  if (depth > maxDepth) return null
  const inner = (child: unknown) => sampleValue(isRecord(child) ? child : {}, root, depth + 1)
  if (typeof schema.$ref === 'string') return inner(resolveReference(root, schema.$ref))
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const branches = [...recordsIn(schema.anyOf), ...recordsIn(schema.oneOf)]
  if (branches.length > 0) return inner((depth >= leanDepth && branches.find(isLeaf)) || branches[0])
  const all = recordsIn(schema.allOf)
  if (all.length > 0) return Object.assign({}, ...all.map(inner))
  switch (typeOf(schema)) {
    case 'object':
      return sampleObject(schema, inner, depth)
    case 'array':
      return sampleArray(schema, inner, depth)
    case 'string':
      return sampleString(schema)
    case 'integer':
      return sampleNumber(schema, true)
    case 'number':
      return sampleNumber(schema, false)
    case 'boolean':
      return true
    default:
      return null
  }
}

const sampleObject = (schema: JsonSchema, inner: (child: unknown) => unknown, depth: number): JsonSchema => {
  const required = Array.isArray(schema.required) ? schema.required : []
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : []
  const made = properties.filter(([name]) => depth < leanDepth || required.includes(name))
  return Object.fromEntries(made.map(([name, child]) => [name, inner(child)]))
}

const sampleArray = (schema: JsonSchema, inner: (child: unknown) => unknown, depth: number): unknown[] => {
  const wanted = depth < leanDepth ? 1 : 0
  const length = Math.min(Math.max(numberOr(schema.minItems, 0), wanted), numberOr(schema.maxItems, Infinity))
  const heads = Array.isArray(schema.prefixItems) ? schema.prefixItems.map(inner) : []
  return [...heads, ...Array.from({ length: Math.max(length - heads.length, 0) }, () => inner(schema.items))]
}
