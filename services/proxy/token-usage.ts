import { z } from 'zod'

const count = z.number().int().nonnegative().max(0xffff_ffff)
const details = z.object({ cached_tokens: count.optional() }).nullish()

/** Both spellings that the provider uses: chat and completions, and responses. */
const Usage = z.object({
  prompt_tokens: count.optional(),
  completion_tokens: count.optional(),
  input_tokens: count.optional(),
  output_tokens: count.optional(),
  prompt_tokens_details: details,
  input_tokens_details: details,
})

/** Tokens as the provider counted them. */
export interface TokenUsage {
  promptTokens: number
  completionTokens: number
  cachedTokens: number
}

/**
 * Finds the last `"usage": {…}` in a text: the end of a JSON answer, or of a stream. Only this object is parsed, so
 * the size of the answer does not matter.
 */
export function findTokenUsage(text: string): TokenUsage | undefined {
  for (let at = text.lastIndexOf('"usage"'); at !== -1; at = at === 0 ? -1 : text.lastIndexOf('"usage"', at - 1)) {
    const open = /^"usage"\s*:\s*\{/.exec(text.slice(at, at + 32))
    const object = open && sliceObject(text, at + open[0].length - 1)
    const usage = object && parseUsage(object)
    if (usage) return usage
  }
  return undefined
}

/** From an opening brace to the one that closes it. A usage object holds numbers and objects, no text with braces. */
function sliceObject(text: string, from: number): string | undefined {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return text.slice(from, at + 1)
  }
  return undefined
}

function parseUsage(object: string): TokenUsage | undefined {
  let json: unknown
  try {
    json = JSON.parse(object)
  } catch {
    return undefined
  }
  const usage = Usage.safeParse(json).data
  const promptTokens = usage?.prompt_tokens ?? usage?.input_tokens
  if (usage === undefined || promptTokens === undefined) return undefined
  return {
    promptTokens,
    completionTokens: usage.completion_tokens ?? usage.output_tokens ?? 0,
    cachedTokens: (usage.prompt_tokens_details ?? usage.input_tokens_details)?.cached_tokens ?? 0,
  }
}

/** A token is about four characters of English text: good enough where the provider says nothing. */
export const estimateTokens = (bytes: number): number => Math.ceil(bytes / 4)
