import { z } from 'zod'
import { kib } from '#core/units.ts'
import { findMembers, type Member } from '../request/json/find-members.ts'

const count = z.number().int().nonnegative().max(0xffff_ffff)
const details = z.object({ cached_tokens: count.optional() }).nullish()

/** Both spellings: that of completions and that of the Responses API. */
const Usage = z.object({
  prompt_tokens: count.optional(),
  completion_tokens: count.optional(),
  input_tokens: count.optional(),
  output_tokens: count.optional(),
  prompt_tokens_details: details,
  input_tokens_details: details,
  /** As the Realtime API spells it. */
  input_token_details: details,
})

export interface TokenUsage {
  promptTokens: number
  completionTokens: number
  cachedTokens: number
}

/** Limits the time that hostile text can cost. */
const maxCandidates = 8
const maxUsageBytes = 4 * kib

/** Finds usage in a complete JSON response, or in its `response` member, as in events of the Responses API. */
export function usageOfResponse(json: Buffer): TokenUsage | undefined {
  const members = findMembers(json, ['usage', 'response'])
  const usage = usageOf(json, members?.usage)
  if (usage || !members?.response) return usage
  const response = json.subarray(members.response.from, members.response.to)
  return usageOf(response, findMembers(response, ['usage'])?.usage)
}

export function usageOf(json: Buffer, member: Member | undefined): TokenUsage | undefined {
  if (!member || member.to - member.from > maxUsageBytes) return undefined
  return parseTokenUsage(json.toString('utf8', member.from, member.to))
}

/** Finds the last `"usage": {…}` in the end of a long response or a stream, in linear time. */
export function findTokenUsage(text: string): TokenUsage | undefined {
  let candidates = 0
  for (let at = text.lastIndexOf('"usage"'); at !== -1; at = at === 0 ? -1 : text.lastIndexOf('"usage"', at - 1)) {
    const opening = /^"usage"\s*:\s*\{/.exec(text.slice(at, at + 32))
    if (!opening) continue
    const object = sliceObject(text, at + opening[0].length - 1)
    const usage = object === undefined ? undefined : parseTokenUsage(object)
    candidates += 1
    if (usage || candidates === maxCandidates) return usage
  }
  return undefined
}

/** From an opening brace to its closing one. A usage object has no strings, so no braces in them. */
function sliceObject(text: string, from: number): string | undefined {
  const end = Math.min(text.length, from + maxUsageBytes)
  let depth = 0
  for (let at = from; at < end; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return text.slice(from, at + 1)
  }
  return undefined
}

export function parseTokenUsage(object: string): TokenUsage | undefined {
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
    cachedTokens:
      (usage.prompt_tokens_details ?? usage.input_tokens_details ?? usage.input_token_details)?.cached_tokens ?? 0,
  }
}
