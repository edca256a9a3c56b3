/** Timestamp of every generated response, so that equal requests get equal bytes: 2026-01-01T00:00:00Z in seconds. */
export const sampleCreated = 1_767_225_600

/** FNV-1a, 32 bits. */
export const hash = (text: string, seed = 0x811c9dc5): number => {
  let value = seed
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}

/** An id that is a function of the text: prefix and 24 hexadecimal digits. */
export const sampleId = (prefix: string, text: string): string => {
  let value = hash(text)
  let id = prefix
  for (let part = 0; part < 3; part += 1) {
    id += value.toString(16).padStart(8, '0')
    value = hash(prefix, value)
  }
  return id
}

/** The sample provider's own rule: a token is four characters. */
const charsPerToken = 4
export const countTokens = (text: string): number => Math.ceil(text.length / charsPerToken)

const words =
  'gateway request stream token provider answer header signal window harbor lantern meadow copper violet orbit canyon'.split(
    ' ',
  )
const wordCount = 16

/** The fragments of a response to `prompt`; `chunks` requests exactly that many. `variant` distinguishes choices. */
export const samplePieces = (prompt: string, variant = 0, chunks?: number): string[] => {
  const start = hash(prompt) + variant
  const word = (index: number) => ` ${words[(start + index * 7) % words.length]}`
  if (chunks !== undefined) return Array.from({ length: chunks }, (_, index) => word(index))
  const excerpt = prompt.slice(0, 80).replace(/\s+/g, ' ').trim().toWellFormed()
  const opening = `This is a sample answer to "${excerpt}":`.split(/(?= )/)
  return [...opening, ...Array.from({ length: wordCount }, (_, index) => word(index)), '.']
}

/** Fragments of eight characters, as JSON is streamed. */
export const splitJson = (text: string): string[] => text.match(/.{1,8}/gsu) ?? []

export interface Passage {
  text: string
  pieces: string[]
  tokens: number
  finishReason: 'stop' | 'length'
}

/** The fragments up to `maxTokens`. */
export const cutPassage = (pieces: string[], maxTokens = Infinity): Passage => {
  const text = pieces.join('')
  const tokens = countTokens(text)
  if (tokens <= maxTokens) return { text, pieces, tokens, finishReason: 'stop' }
  let left = maxTokens * charsPerToken
  const kept: string[] = []
  for (const piece of pieces) {
    if (left <= 0) break
    kept.push(piece.slice(0, left).toWellFormed())
    left -= piece.length
  }
  return { text: kept.join(''), pieces: kept, tokens: maxTokens, finishReason: 'length' }
}

/** From 1,024 tokens on, prompts count as cached up to their last whole block of 128, like in OpenAI's prompt cache. */
export const countCached = (promptTokens: number): number =>
  promptTokens < 1_024 ? 0 : Math.floor((promptTokens - 1) / 128) * 128

/** Tokens that a reasoning model spends before it writes; they count against the limit. */
export const countReasoning = (model: string, maxTokens = Infinity): number =>
  /^(o\d|gpt-5)/.test(model) ? Math.min(64, maxTokens) : 0

/** Usage in the format of chat and text completions. */
export const completionUsage = (promptTokens: number, completionTokens: number, reasoningTokens = 0) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  prompt_tokens_details: { cached_tokens: countCached(promptTokens), audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: reasoningTokens,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
})
