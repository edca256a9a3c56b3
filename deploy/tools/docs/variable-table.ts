import { z } from 'zod'
import { Environment } from '#core/config.ts'
import { keysOf } from '#core/records.ts'
import { withTable } from './generated-table.ts'
import { variables } from './variables.ts'

/** The properties of a JSON schema that the table needs. */
const FieldSchema = z.object({
  type: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.unknown().optional(),
})
type FieldSchema = z.infer<typeof FieldSchema>

/** Puts the table of all variables into deploy/README.md. */
export function withVariableTable(text: string): string {
  const rows = keysOf(Environment.in.shape).map((name) => {
    const field: z.ZodType = Environment.in.shape[name]
    const schema = FieldSchema.parse(z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }))
    const { type = typeOf(schema), unit = '', example, meaning } = variables[name]
    const isRequired = !field.safeParse(undefined).success
    return [code(name), cell(type), isRequired ? '**required**' : code(defaultOf(schema)), unit, code(example), meaning]
  })
  return withTable(text, 'variables', ['Variable', 'Type', 'Default', 'Unit', 'Example', 'Meaning'], rows)
}

function typeOf(schema: FieldSchema): string {
  if (schema.enum) return schema.enum.join(', ')
  if (schema.format === 'uri') return 'URL'
  if (schema.format === 'email') return 'address'
  if (schema.type !== 'integer') return 'text'
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema
  return maximum === Number.MAX_SAFE_INTEGER ? `integer from ${minimum}` : `integer, ${minimum} to ${maximum}`
}

const defaultOf = (schema: FieldSchema) =>
  schema.default === undefined || schema.default === '' ? '' : String(schema.default)

const code = (text: string) => (text === '' || text.startsWith('`') ? cell(text) : `\`${cell(text)}\``)
const cell = (text: string) => text.replaceAll('|', String.raw`\|`)
