import { root } from '#tools/root.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceBetween } from './replace-between.ts'

const folder = join(root, 'deploy/docs/decisions')

/** Puts a list of all decisions into their README. */
export const withDecisionIndex = (text: string): string => replaceBetween(text, 'index', decisionIndex())

function decisionIndex(): string {
  const files = readdirSync(folder).filter((file) => /^\d{3}-/.test(file))
  return files
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const [, title] = /^# \d{3}: (.+)$/m.exec(text) ?? []
      const [, status] = /^\*\*Status\.\*\* ([^:]+?)[:.]/m.exec(text) ?? []
      return `- [${file.slice(0, 3)}](${file}) ${title}${status ? ` (${status.toLowerCase()})` : ''}`
    })
    .join('\n')
}
