import type { z } from 'zod'
import { wantedBy } from '#core/config/describe-issues.ts'
import { secretVariables } from '#core/config/secrets.ts'
import { Variables } from '#core/config.ts'
import { keysOf } from '#core/records.ts'
import { withTable } from './generated-part.ts'

/**
 * Updates the table of all variables in deploy/README.md: their names, types and defaults. The other columns are written
 * by hand. @throws Error when a variable has no meaning there
 */
export function withVariableTable(text: string): string {
  const rows = text.match(/^\| `[A-Z_]+`.*/gm)?.map((row) => row.split(/(?<!\\)\|/).map((each) => each.trim())) ?? []
  const table = keysOf(Variables.shape).map((name) => {
    const [, , , , unit = '', example = '', meaning] = rows.find(([, first]) => first?.startsWith(code(name))) ?? []
    if (!meaning) throw new Error(`deploy/README.md does not say what ${name} means`)
    const field: z.ZodType = Variables.shape[name]
    const names = secretVariables.includes(name) ? `${code(name)} (or ${code('_FILE')})` : code(name)
    return [names, cell(wantedBy(field) ?? ''), defaultOf(field), unit, example, meaning]
  })
  return withTable(text, 'variables', ['Variable', 'Type', 'Default', 'Unit', 'Example', 'Meaning'], table)
}

function defaultOf(field: z.ZodType): string {
  const { success, data } = field.safeParse(undefined)
  if (!success) return '**required**'
  if (data === undefined) return ''
  return code(Array.isArray(data) || typeof data !== 'object' ? String(data) : JSON.stringify(data))
}

const code = (text: string) => (text === '' ? '' : `\`${cell(text)}\``)
const cell = (text: string) => text.replaceAll('|', String.raw`\|`)
