import { z } from 'zod'
import { kib } from '#core/units.ts'
import { findMembers, type Member } from '../request/json/find-members.ts'

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

/** How many usage objects are tried from the end, and how long one may be: providers send one of a few hundred bytes. */
const mostCandidates = 8
const longestUsage = 4 * kib

/** The usage of a whole JSON response: a member of it, or of its `response`, as in events of the Responses API. */
export function usageOfResponse(json: Buffer): TokenUsage | undefined {
  const members = findMembers(json, ['usage', 'response'])
  if (!members?.response) return usageMember(json, members?.usage)
  const { from, to } = members.response
  const response = json.subarray(from, to)
  return usageMember(json, members.usage) ?? usageMember(response, findMembers(response, ['usage'])?.usage)
}

function usageMember(json: Buffer, usage: Member | undefined): TokenUsage | undefined {
  if (!usage || usage.to - usage.from > longestUsage) return undefined
  return parseTokenUsage(json.toString('utf8', usage.from, usage.to))
}

/**
 * The last `"usage": {…}` in a text: the end of a long response, or of a stream. Only a few objects of limited size are
 * tried, so the time grows with the length of the text at most, whatever is in it.
 */
export function findTokenUsage(text: string): TokenUsage | undefined {
  let candidates = 0
  for (let at = text.lastIndexOf('"usage"'); at !== -1; at = at === 0 ? -1 : text.lastIndexOf('"usage"', at - 1)) {
    const opening = /^"usage"\s*:\s*\{/.exec(text.slice(at, at + 32))
    if (!opening) continue
    const object = sliceObject(text, at + opening[0].length - 1)
    const usage = object === undefined ? undefined : parseTokenUsage(object)
    candidates += 1
    if (usage || candidates === mostCandidates) return usage
  }
  return undefined
}

/** From an opening brace to the one that closes it. A usage object holds numbers and objects, no text with braces. */
function sliceObject(text: string, from: number): string | undefined {
  const end = Math.min(text.length, from + longestUsage)
  let depth = 0
  for (let at = from; at < end; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return text.slice(from, at + 1)
  }
  return undefined
}

/** @param object JSON of a usage object */
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
    cachedTokens: (usage.prompt_tokens_details ?? usage.input_tokens_details)?.cached_tokens ?? 0,
  }
}

/** A token is about four characters of English text: good enough where the provider says nothing. */
export const estimateTokens = (bytes: number): number => Math.ceil(bytes / 4)
