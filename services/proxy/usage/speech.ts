import { kib } from '#core/units.ts'
import { findMembers } from '../request/json/find-members.ts'
import { audioTokensPerCharacter, bytesPerToken, type StreamTokens } from './metering.ts'
import type { TokenUsage } from './token-usage.ts'

const speechPath = /\/audio\/speech$/
export const makesSpeech = (endpoint: string): boolean => speechPath.test(endpoint)

/** Far longer than any text that providers accept. */
const longestBody = 256 * kib

interface Speech {
  /** Some models are billed by the characters of the text. */
  usage: TokenUsage
  /** What other models are billed by. */
  likely: StreamTokens
}

/** Speech responses report no usage, unless they are streams of events. */
export function readSpeech(requestBody: Buffer): Speech | undefined {
  const member = requestBody.length > longestBody ? undefined : findMembers(requestBody, ['input'])?.input
  if (!member) return undefined
  const input: unknown = JSON.parse(requestBody.toString('utf8', member.from, member.to))
  if (typeof input !== 'string') return undefined
  const bytes = Buffer.byteLength(input)
  const audioTokens = Math.ceil(bytes * audioTokensPerCharacter)
  return {
    usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0, characters: [...input].length },
    likely: {
      promptTokens: Math.ceil(bytes / bytesPerToken),
      completionTokens: audioTokens,
      audioCompletionTokens: audioTokens,
    },
  }
}
