import { root } from '#tools/root.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withTable } from './generated-table.ts'

const folder = join(root, 'deploy/docs/decisions')

/** Puts a table of all decisions into their README. @throws Error when one has no title or no status */
export function withDecisionIndex(document: string): string {
  const files = readdirSync(folder).filter((file) => /^\d{3}-/.test(file))
  const rows = files.toSorted().map((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const [, title] = /^# \d{3}: (.+)$/m.exec(text) ?? []
    const [, status] = /^Status: (accepted|(?:amended|replaced) by \d{3})$/m.exec(text) ?? []
    if (!title || !status) throw new Error(`${file} has no title or no status`)
    return [`[${file.slice(0, 3)}](${file})`, title, status]
  })
  return withTable(document, 'index', ['Number', 'Decision', 'Status'], rows)
}
