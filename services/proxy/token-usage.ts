import { z } from 'zod'

const count = z.number().int().nonnegative().max(0xffff_ffff)

/** Both spellings that the provider uses: chat and completions, and responses. */
const Usage = z.object({
  prompt_tokens: count.optional(),
  completion_tokens: count.optional(),
  input_tokens: count.optional(),
  output_tokens: count.optional(),
  prompt_tokens_details: z.object({ cached_tokens: count.optional() }).nullish(),
  input_tokens_details: z.object({ cached_tokens: count.optional() }).nullish(),
})
const Answer = z.object({ model: z.string().max(200).optional(), usage: Usage.nullish() })

/** Tokens as the provider counted them; `null` where it says nothing. */
export interface TokenUsage {
  model: string | null
  promptTokens: number | null
  completionTokens: number | null
  cachedTokens: number | null
}

/** Reads what a JSON answer says of its model and its tokens. An answer that says nothing gives `undefined`. */
export function readTokenUsage(body: string): TokenUsage | undefined {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return undefined
  }
  const answer = Answer.safeParse(json).data
  if (!answer) return undefined
  const { model, usage } = answer
  return {
    model: model ?? null,
    promptTokens: usage?.prompt_tokens ?? usage?.input_tokens ?? null,
    completionTokens: usage?.completion_tokens ?? usage?.output_tokens ?? null,
    cachedTokens: (usage?.prompt_tokens_details ?? usage?.input_tokens_details)?.cached_tokens ?? null,
  }
}
