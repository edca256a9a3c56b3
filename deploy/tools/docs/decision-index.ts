import { root } from '#tools/root.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from './markdown-table.ts'
import { replaceBetween } from './replace-between.ts'

const folder = join(root, 'deploy/docs/decisions')

/** Puts a table of all decisions into their README. @throws Error when one has no title or no status */
export const withDecisionIndex = (text: string): string => replaceBetween(text, 'index', decisionIndex())

function decisionIndex(): string {
  const rows = readdirSync(folder)
    .filter((file) => /^\d{3}-/.test(file))
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const [, title] = /^# \d{3}: (.+)$/m.exec(text) ?? []
      const [, status] = /^Status: (accepted|(?:amended|replaced) by \d{3})$/m.exec(text) ?? []
      if (!title || !status) throw new Error(`${file} has no title or no status`)
      return [`[${file.slice(0, 3)}](${file})`, title, status]
    })
  return table(['Number', 'Decision', 'Status'], rows)
}
