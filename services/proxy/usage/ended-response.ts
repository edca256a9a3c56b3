import { longestModel } from '#schemas/secure-tokens.ts'
import { findMembers, type Member } from '../request/json/find-members.ts'
import { type TokenUsage, usageOf } from './token-usage.ts'

/** Events that end a response; the last one is that of a transcription. */
const endingEvents = [
  'response.done',
  'response.completed',
  'response.incomplete',
  'response.failed',
  'conversation.item.input_audio_transcription.completed',
]
/** Other messages, audio for the most part, are not parsed. */
const markers = endingEvents.map((type) => Buffer.from(`"${type}"`))

/** A response within a session. */
export interface EndedResponse {
  model: string | null
  status: string | null
  usage: TokenUsage | undefined
}

/** Reads a provider's message. @returns undefined for one that ends no response */
export function readEndedResponse(json: Buffer): EndedResponse | undefined {
  if (!markers.some((marker) => json.includes(marker))) return undefined
  const event = findMembers(json, ['type', 'response'])
  const type = event && readString(json, event.type)
  if (!type || !endingEvents.includes(type)) return undefined
  const source = event.response ? json.subarray(event.response.from, event.response.to) : json
  const response = findMembers(source, ['model', 'status', 'usage'])
  return {
    model: readString(source, response?.model),
    status: readString(source, response?.status),
    usage: usageOf(source, response?.usage),
  }
}

function readString(json: Buffer, member: Member | undefined): string | null {
  if (!member || member.to - member.from > longestModel * 6 + 2) return null
  const value: unknown = JSON.parse(json.toString('utf8', member.from, member.to))
  return typeof value === 'string' ? value.slice(0, longestModel) : null
}
