import { kib } from '#core/units.ts'
import { findMembers } from '../request/json/find-members.ts'
import type { TokenUsage } from './token-usage.ts'

export const speechEndpoint = '/v1/audio/speech'

/** Far longer than any text that providers accept. */
const longestInput = 256 * kib

/** Speech responses report no usage; some models are billed by the characters of the text. */
export function usageOfSpeech(requestBody: Buffer): TokenUsage | undefined {
  const member = findMembers(requestBody, ['input'])?.input
  if (!member || member.to - member.from > longestInput) return undefined
  const input: unknown = JSON.parse(requestBody.toString('utf8', member.from, member.to))
  if (typeof input !== 'string') return undefined
  return { promptTokens: 0, completionTokens: 0, cachedTokens: 0, characters: [...input].length }
}
