import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { product } from '#schemas/product.ts'
import { root } from '#tools/root.ts'
import { withScalingTables } from '#tools/scaling/tables.ts'
import { codeExamples, tokenPlaceholder } from '#web/lib/code-examples/code-examples.ts'
import { withGenerated, withTable } from './generated-part.ts'
import { withLimitTable } from './limit-table.ts'
import { withVariableTable } from './variable-table.ts'

/** Documents with generated parts, and the functions that write them. */
export const generated: Record<string, (text: string) => string> = {
  'deploy/README.md': (text) => withLimitTable(withVariableTable(text)),
  'deploy/docs/clients.md': withClientExamples,
  'deploy/docs/decisions/README.md': withDecisionIndex,
  'deploy/docs/scaling.md': withScalingTables,
}

/** Inserts the examples of the API Documentation screen into a document. */
function withClientExamples(text: string): string {
  const examples = codeExamples(`http://127.0.0.1:3000${product.proxyPath}/v1`, tokenPlaceholder)
  const sections = examples.map(({ title, language, code }) => `## ${title}\n\n\`\`\`${language}\n${code}\n\`\`\``)
  return withGenerated(text, 'examples', sections.join('\n\n'))
}

const folder = join(root, 'deploy/docs/decisions')

/** Inserts a table of all decisions into their README. @throws Error when one has no title or no status */
function withDecisionIndex(document: string): string {
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
