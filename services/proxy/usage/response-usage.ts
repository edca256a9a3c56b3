import { kib } from '#core/units.ts'
import { longestModel } from '#schemas/secure-tokens.ts'
import { findMembers, type Member, type Members } from '../request/json/find-members.ts'
import { readTokenUsage, type TokenUsage } from './token-usage.ts'

/** Limits the time that hostile text can cost. */
const maxCandidates = 8
const maxUsageBytes = 4 * kib

const names = ['usage', 'response', 'x_groq', 'service_tier', 'model', 'background', 'object', 'status', 'id'] as const
type ResponseMembers = Members<(typeof names)[number]>

/** Statuses in which a batch uses no more tokens. */
const endedBatches = new Set(['completed', 'expired', 'cancelled', 'failed'])

const [quote, backslash] = [0x22, 0x5c]

/** Finds usage in a complete JSON response, or in its `response` member, as in events of the Responses API. */
export function usageOfResponse(json: Buffer): TokenUsage | undefined {
  const members = findMembers(json, names)
  if (!members) return undefined
  const usage = usageOf(json, members.usage)
  if (usage) return describe(usage, json, members)
  const inner = members.response ?? members.x_groq
  if (!inner) return undefined
  const response = json.subarray(inner.from, inner.to)
  const innerMembers = findMembers(response, names)
  const innerUsage = usageOf(response, innerMembers?.usage)
  // Groq puts nothing but the usage into a member of its own.
  if (!innerUsage || !innerMembers || !members.response) return innerUsage && describe(innerUsage, json, members)
  return describe(innerUsage, response, innerMembers)
}

/** Adds what else decides about the price. */
function describe(usage: TokenUsage, json: Buffer, members: ResponseMembers): TokenUsage | undefined {
  const isBatch = readName(json, members.object) === 'batch'
  if (isBatch && !endedBatches.has(readName(json, members.status) ?? '')) return undefined
  const tier = isBatch ? 'batch' : readName(json, members.service_tier)
  const model = readName(json, members.model)
  const isJob = isBatch || (members.background && json[members.background.from] === firstOfTrue)
  const jobId = isJob ? readName(json, members.id) : undefined
  if (tier !== undefined) usage.serviceTier = tier
  if (model !== undefined) usage.model = model
  if (jobId !== undefined) usage.jobId = jobId
  return usage
}

const firstOfTrue = 0x74

/** A text without escapes: no name has any. */
export function readName(json: Buffer, member: Member | undefined): string | undefined {
  if (!member || json[member.from] !== quote || member.to - member.from > longestModel + 2) return undefined
  const end = member.to - 1
  const escapeAt = json.indexOf(backslash, member.from)
  return escapeAt !== -1 && escapeAt < end ? undefined : json.toString('utf8', member.from + 1, end)
}

export function usageOf(json: Buffer, member: Member | undefined): TokenUsage | undefined {
  if (!member || member.to - member.from > maxUsageBytes) return undefined
  return readTokenUsage(JSON.parse(json.toString('utf8', member.from, member.to)))
}

/**
 * Finds the last `"usage": {…}` of a long response or a stream, in linear time.
 * @param tail the end of it
 * @param head its beginning, where the rest may be
 */
export function findTokenUsage(tail: string, head = ''): TokenUsage | undefined {
  const usage = findLastUsage(tail, head)
  if (!usage) return undefined
  const tier = lastTier(tail) ?? lastTier(head)
  const model = /"model"\s*:\s*"([^"\\]{1,200})"/.exec(head)?.[1]
  const jobId = /"background"\s*:\s*true/.test(head) ? /"id"\s*:\s*"([\w.:-]{1,128})"/.exec(head)?.[1] : undefined
  if (tier !== undefined) usage.serviceTier = tier
  if (model !== undefined) usage.model = model
  if (jobId !== undefined) usage.jobId = jobId
  return usage
}

/** Anthropic counts the input at the beginning of a stream, and the output at its end. */
function findLastUsage(tail: string, head: string): TokenUsage | undefined {
  let candidates = 0
  let later: object | undefined
  for (const text of [tail, head]) {
    for (let at = text.lastIndexOf('"usage"'); at !== -1; at = at === 0 ? -1 : text.lastIndexOf('"usage"', at - 1)) {
      const opening = /^"usage"\s*:\s*\{/.exec(text.slice(at, at + 32))
      if (!opening) continue
      const object = parseObject(text, at + opening[0].length - 1)
      const usage = object && readTokenUsage({ ...object, ...later })
      if (usage && !later && isBeginning(text, at)) usage.isPartial = true
      if (usage) return usage
      later ??= object && 'output_tokens' in object ? object : undefined
      if ((candidates += 1) === maxCandidates) return undefined
    }
  }
  return undefined
}

/** Whether a usage is in the event that begins a stream of Anthropic. */
const isBeginning = (text: string, at: number): boolean =>
  text.slice(text.lastIndexOf('\n', at) + 1, at).includes('"message_start"')

function lastTier(text: string): string | undefined {
  const at = text.lastIndexOf('"service_tier"')
  return at === -1 ? undefined : /^"service_tier"\s*:\s*"([\w-]{1,40})"/.exec(text.slice(at, at + 80))?.[1]
}

/** From an opening brace to its closing one. A usage object has no strings with braces in them. */
function parseObject(text: string, from: number): object | undefined {
  const end = Math.min(text.length, from + maxUsageBytes)
  let depth = 0
  for (let at = from; at < end; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth > 0) continue
    try {
      return JSON.parse(text.slice(from, at + 1)) as object
    } catch {
      return undefined
    }
  }
  return undefined
}
