import type { RequestBody } from './body.ts'
import type { Terms } from './metadata.ts'

const [firstOfNull, openingBrace] = [0x6e, 0x7b]
const filesElsewhere = ['"file_id"', '"file_url"'].map((name) => Buffer.from(name))

/** Whether a prompt contains text that is not in the request: a conversation or a prompt that the provider keeps, or a file. */
export function hasTextElsewhere(body: RequestBody, terms: Terms | undefined): boolean {
  if (!body || !('bytes' in body) || !terms) return false
  const { bytes } = body
  const { previous_response_id: previous, conversation, prompt } = terms
  // The prompt of a completion is a text.
  if (prompt && bytes[prompt.from] === openingBrace) return true
  const isKept = [previous, conversation].some((member) => member && bytes[member.from] !== firstOfNull)
  return isKept || filesElsewhere.some((name) => bytes.includes(name))
}
