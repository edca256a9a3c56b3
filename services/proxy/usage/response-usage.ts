import { longestModel } from '#schemas/secure-tokens.ts'
import { findMembers, type Member, type Members } from '../request/json/find-members.ts'
import { excerptOf } from './response-excerpt.ts'
import { maxUsageBytes, parseUsageObject, readGoogleUsage, readTokenUsage, type TokenUsage } from './token-usage.ts'
import { toolUsageOf } from './tool-usage.ts'

/** Limits the time that hostile text can cost. */
const maxCandidates = 8

const names = ['usage', 'response', 'service_tier', 'model', 'background', 'object', 'tool_usage', 'tools'] as const
type ResponseMembers = Members<(typeof names)[number]>

/** Statuses of batches that have ended. */
const endedBatches = new Set(['completed', 'expired', 'cancelled', 'failed'])

const [quote, firstOfTrue] = [0x22, 0x74]
/** `"batch"` */
const batchLength = 7

/** Finds usage in a complete JSON response, or in a member of it, as in events of the Responses API. */
export function usageOfResponse(json: Buffer): TokenUsage | undefined {
  const members = findMembers(json, names)
  const usage = members && usageOf(json, members.usage)
  if (usage) return describe(usage, json, members)
  if (!members?.response) return json.includes(googleName) ? usageOfGoogle(json) : undefined
  const response = json.subarray(members.response.from, members.response.to)
  const inner = findMembers(response, names)
  const innerUsage = inner && usageOf(response, inner.usage)
  return innerUsage && describe(innerUsage, response, inner)
}

const googleName = '"usageMetadata"'
const googleNames = ['usageMetadata', 'modelVersion'] as const

function usageOfGoogle(json: Buffer): TokenUsage | undefined {
  const members = findMembers(json, googleNames)
  // A stream without events is a list.
  if (!members) return json.includes('[') ? usageOfGoogle(excerptOf(json)) : undefined
  const { usageMetadata: member, modelVersion } = members
  const usage = member && readGoogleUsage(parseUsageObject(json.toString('latin1', member.from, member.to), 0))
  const model = readName(json, modelVersion)
  return usage && model !== undefined ? { ...usage, model } : usage
}

/** Adds everything else that determines the price. */
function describe(usage: TokenUsage, json: Buffer, members: ResponseMembers): TokenUsage | undefined {
  const { object, background } = members
  const tier = readName(json, members.service_tier)
  const model = readName(json, members.model)
  if (tier !== undefined) usage.serviceTier = tier
  if (model !== undefined) usage.model = model
  Object.assign(usage, toolUsageOf(json, members))
  const isBatch = object && object.to - object.from === batchLength && readName(json, object) === 'batch'
  const isJob = isBatch || usage.isInteraction || (background && json[background.from] === firstOfTrue)
  return isJob ? describeJob(usage, json, isBatch === true) : usage
}

/** @returns undefined for a job in progress */
function describeJob(usage: TokenUsage, json: Buffer, isBatch: boolean): TokenUsage | undefined {
  const { id, status: member } = findMembers(json, ['id', 'status']) ?? {}
  const status = readName(json, member)
  if (isBatch ? !endedBatches.has(status ?? '') : status === 'in_progress') return undefined
  if (isBatch) usage.serviceTier = 'batch'
  const jobId = readName(json, id)
  if (jobId !== undefined) usage.jobId = jobId
  return usage
}

/** A string without escapes, which names never contain. */
export function readName(json: Buffer, member: Member | undefined): string | undefined {
  if (!member || json[member.from] !== quote || member.to - member.from > longestModel + 2) return undefined
  const name = json.toString('utf8', member.from + 1, member.to - 1)
  return name.includes('\\') ? undefined : name
}

export function usageOf(json: Buffer, member: Member | undefined): TokenUsage | undefined {
  if (!member || member.to - member.from > maxUsageBytes) return undefined
  return readTokenUsage(JSON.parse(json.toString('latin1', member.from, member.to)))
}

/**
 * Finds the last `"usage": {…}` of a stream, in linear time.
 * @param tail its end
 * @param head its beginning, which may contain the other members
 */
export function findTokenUsage(tail: string, head = ''): TokenUsage | undefined {
  const usage = findLastUsage(tail, head)
  if (!usage) return undefined
  const tier = lastTier(tail) ?? lastTier(head)
  const model = firstName(head, '"model"')
  const jobId = beginsJob(head) ? firstName(head, '"id"') : undefined
  if (tier !== undefined) usage.serviceTier = tier
  if (model !== undefined) usage.model = model
  if (jobId !== undefined) usage.jobId = jobId
  return usage
}

/** With one of these, a stream is complete. In text, its quotes are escaped. */
const googleEnd = /"(?:finishReason|blockReason)"/

export const endsGoogleResponse = (text: string): boolean => googleEnd.test(text)

/** Finds the last usage of Google's stream. Each event has that of the response so far. */
export function findGoogleUsage(tail: string, head: string, isComplete: boolean): TokenUsage | undefined {
  const text = [tail, head].find((part) => part.includes(googleName)) ?? ''
  const usageAt = (at: number) => readGoogleUsage(parseUsageObject(text, text.indexOf('{', at)))
  const lastAt = text.lastIndexOf(googleName)
  const last = usageAt(lastAt)
  // The last one may have broken off.
  const usage = last ?? usageAt(text.lastIndexOf(googleName, lastAt - 1))
  if (!usage) return undefined
  const model = nameAt(tail, tail.lastIndexOf('"modelVersion"')) ?? firstName(head, '"modelVersion"')
  if (model !== undefined) usage.model = model
  if (!last || !isComplete) usage.isPartial = true
  return usage
}

/** Whether the beginning of a response says that the provider continues it without its client. */
export function beginsJob(head: string): boolean {
  const at = head.indexOf('"background"')
  return at !== -1 && /^"background"\s*:\s*true/.test(head.slice(at, at + 40))
}

/** Anthropic completes at the end of a stream the usage at its beginning, which alone tells kinds of cache writes apart. */
function findLastUsage(tail: string, head: string): TokenUsage | undefined {
  let candidates = 0
  let later: object | undefined
  for (const text of [tail, head]) {
    for (let at = text.lastIndexOf('"usage"'); at !== -1; at = at === 0 ? -1 : text.lastIndexOf('"usage"', at - 1)) {
      const opening = /^"usage"\s*:\s*\{/.exec(text.slice(at, at + 32))
      if (!opening) continue
      const object = parseUsageObject(text, at + opening[0].length - 1)
      const event = text.slice(text.lastIndexOf('\n', at) + 1, at)
      if (object && event.includes('"message_delta"')) later = { ...object, ...later }
      else {
        const usage = object && readTokenUsage(later ? { ...object, ...withoutNulls(later) } : object)
        if (usage && !later && event.includes('"message_start"')) usage.isPartial = true
        if (usage) return usage
        later ??= object && 'output_tokens' in object ? object : undefined
      }
      if ((candidates += 1) === maxCandidates) return readTokenUsage(later)
    }
  }
  return readTokenUsage(later)
}

/** The end of a stream may have `null` for what was said at its beginning. */
const withoutNulls = (usage: object): object =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null))

const lastTier = (text: string) => nameAt(text, text.lastIndexOf('"service_tier"'))
const firstName = (text: string, member: string) => nameAt(text, text.indexOf(member))

/** The string value of the member at a position. */
const nameAt = (text: string, at: number): string | undefined =>
  at === -1 ? undefined : /^"\w+"\s*:\s*"([^"\\]{1,200})"/.exec(text.slice(at, at + 240))?.[1]
