import { product } from '#schemas/product.ts'
import { codeExamples, tokenPlaceholder } from '#web/lib/code-examples/code-examples.ts'
import { withGenerated } from './generated-part.ts'

/** Puts the examples of the API Documentation screen into a document. */
export function withClientExamples(text: string): string {
  const examples = codeExamples(`http://127.0.0.1:3000${product.proxyPath}/v1`, tokenPlaceholder)
  const sections = examples.map(({ title, language, code }) => `## ${title}\n\n\`\`\`${language}\n${code}\n\`\`\``)
  return withGenerated(text, 'examples', sections.join('\n\n'))
}
