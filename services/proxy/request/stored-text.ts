import type { RequestBody } from './body.ts'
import type { RequestMetadata } from './metadata.ts'

const [firstOfNull, openingBrace] = [0x6e, 0x7b]
const filesElsewhere = ['"file_id"', '"file_url"'].map((name) => Buffer.from(name))
/** Searched first, because each search of a body takes time. */
const beginningOfFile = Buffer.from('"file_')
/** Google reads either spelling. */
const googleTextElsewhere = ['cachedContent', 'cached_content', 'fileUri', 'file_uri', 'urlContext', 'url_context'].map(
  (name) => Buffer.from(`"${name}"`),
)
/** The beginning of the conversation, files, and the tool that reads pages, named by its type. */
const interactionTextElsewhere = [
  'previous_interaction_id',
  'continuation_token',
  'cached_content',
  'uri',
  'url_context',
].map((name) => Buffer.from(`"${name}"`))
/** Models that read what they find, for many turns. */
const researches = /deep-research/i

/** Whether a prompt has text that is not in the request: a conversation or prompt that the provider keeps, or a file. */
export function hasTextElsewhere({ body, metadata }: { body: RequestBody; metadata: RequestMetadata }): boolean {
  const { model, terms } = metadata
  if (!body || !('bytes' in body) || !terms) return false
  const { bytes } = body
  if (metadata.isGoogle) return googleTextElsewhere.some((name) => bytes.includes(name))
  if (metadata.isInteraction) return interactionTextElsewhere.some((name) => bytes.includes(name))
  const { previous_response_id: previous, conversation, prompt } = terms
  if (researches.test(model ?? '')) return true
  // The prompt of a completion is a text.
  if (prompt && bytes[prompt.from] === openingBrace) return true
  const isKept = [previous, conversation].some((member) => member && bytes[member.from] !== firstOfNull)
  return isKept || (bytes.includes(beginningOfFile) && filesElsewhere.some((name) => bytes.includes(name)))
}
