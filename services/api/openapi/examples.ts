import { fieldExamples } from './field-examples.ts'
import type { JsonSchema } from './json-schema.ts'

const formats: Record<string, unknown> = {
  uuid: '0199a000-0000-7000-8000-000000000001',
  'date-time': '2026-11-23T12:00:00.000Z',
  date: '2026-11-23',
  uri: 'https://gateway.example.com',
}

/**
 * Composes the example of a schema. A field without its own (`.meta({ example })`) gets one by its format or name.
 * @throws Error for a text that has no example and can't be null
 */
function exampleOf(schema: JsonSchema, name: string): unknown {
  if (schema.example !== undefined) return schema.example
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return exampleOf(first, name)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, name)))
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [type, orNull] = [schema.type].flat()
  switch (type) {
    case 'object':
      return exampleOfObject(schema, name)
    case 'array':
      return exampleOfArray(schema, name)
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return numberOf(schema, name)
    case 'string':
      return formats[schema.format ?? ''] ?? textOf(name, orNull !== undefined)
    case 'null':
      return null
    default:
      return {}
  }
}

function exampleOfObject({ properties = {}, additionalProperties }: JsonSchema, name: string) {
  const fields = Object.entries(properties).map(([field, schema]) => [field, exampleOf(schema, field)])
  if (fields.length > 0 || typeof additionalProperties !== 'object') return Object.fromEntries(fields)
  return fieldExamples[name] ?? {}
}

function exampleOfArray({ items, prefixItems, minItems = 1 }: JsonSchema, name: string): unknown[] {
  if (prefixItems) return prefixItems.map((item) => exampleOf(item, name))
  return items ? Array.from({ length: Math.max(1, minItems) }, () => exampleOf(items, name)) : []
}

function numberOf({ minimum = 0 }: JsonSchema, name: string): number {
  const example = fieldExamples[name]
  return typeof example === 'number' ? example : Math.max(minimum, 1)
}

function textOf(name: string, isNullable: boolean): string | null {
  if (name in fieldExamples) return String(fieldExamples[name])
  if (isNullable) return null
  throw new Error(`The API's document has no example of the text "${name}"`)
}

interface MediaType {
  schema?: JsonSchema
  example?: unknown
}
interface Operation {
  requestBody?: { content?: Record<string, MediaType> }
  responses?: Record<string, { content?: Record<string, MediaType> }>
}

const isText = /^text\/|json/

/** Gives each body and response of the document an example, unless it has one or is binary. */
export function addExamples(paths: Record<string, Record<string, Operation>>): void {
  for (const { requestBody, responses = {} } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const { content = {} } of [...(requestBody ? [requestBody] : []), ...Object.values(responses)]) {
      for (const [type, media] of Object.entries(content)) {
        if (media.schema && isText.test(type)) media.example ??= exampleOf(media.schema, type.split(';')[0]!)
      }
    }
  }
}
