/** `npm run docs`: writes what documents say of the code. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { withVariableTable } from './variable-table.ts'

const file = join(import.meta.dirname, '../README.md')
await writeFile(file, withVariableTable(await readFile(file, 'utf8')))
await execa('oxfmt', [file], { preferLocal: true })
