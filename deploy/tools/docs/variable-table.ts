import type { z } from 'zod'
import { wantedBy } from '#core/config/describe-issues.ts'
import { secretVariables } from '#core/config/secrets.ts'
import { Variables } from '#core/config.ts'
import { keysOf } from '#core/records.ts'
import { withTable } from './generated-part.ts'
import { variables } from './variables.ts'

/** Inserts the table of all variables into deploy/README.md. */
export function withVariableTable(text: string): string {
  const rows = keysOf(Variables.shape).map((name) => {
    const field: z.ZodType = Variables.shape[name]
    const { unit = '', example, meaning } = variables[name]
    const names = secretVariables.includes(name) ? `${code(name)} (or ${code('_FILE')})` : code(name)
    return [names, cell(wantedBy(field) ?? ''), defaultOf(field), unit, code(example), meaning]
  })
  return withTable(text, 'variables', ['Variable', 'Type', 'Default', 'Unit', 'Example', 'Meaning'], rows)
}

function defaultOf(field: z.ZodType): string {
  const { success, data } = field.safeParse(undefined)
  if (!success) return '**required**'
  if (data === undefined) return ''
  return code(Array.isArray(data) || typeof data !== 'object' ? String(data) : JSON.stringify(data))
}

const code = (text: string) => (text === '' || text.startsWith('`') ? cell(text) : `\`${cell(text)}\``)
const cell = (text: string) => text.replaceAll('|', String.raw`\|`)
