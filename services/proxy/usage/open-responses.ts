import { kib } from '#core/units.ts'
import { findMembers } from '../request/json/find-members.ts'
import { audioTokensPerCharacter, bytesPerToken } from './metering.ts'
import { readName } from './response-usage.ts'
import type { TokenUsage } from './token-usage.ts'

const longestDelta = 16 * kib
const [ofResponse, deltaEnd] = ['"response.', '.delta"']
/** Audio is not parsed, because its text comes along. */
const [audioDelta, transcriptDelta] = ['audio.delta"', 'audio_transcript.delta"']
const quote = 0x22

/** Of an error. */
const nothing: TokenUsage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 }

/** A response within a session, or an estimate of all unfinished ones when the session ends. */
export interface EndedResponse {
  model: string | null
  status: string | null
  usage: TokenUsage | undefined
  /** Whether it transcribed speech, which uses another model than the session's. */
  isTranscription: boolean
}

/** Responses of a session that were requested and have not ended; estimates the usage that is not reported. */
export class OpenResponses {
  /** Numbers of responses that the provider has yet to begin, and that it has begun. */
  #requested = 0
  #begun = 0
  #lastModel: string | null = null
  #textTokens = 0
  #audioTokens = 0
  /** Tokens of the conversation, as counted for the last response. */
  #contextTokens = 0
  readonly #likelyPromptTokens: () => number

  /** @param likelyPromptTokens likely minimum number of tokens in a prompt */
  constructor(likelyPromptTokens: () => number) {
    this.#likelyPromptTokens = likelyPromptTokens
  }

  get count(): number {
    return this.#requested + this.#begun
  }

  /** The provider has been sent requests. @param models that they name; null for the session's */
  request(models: readonly (string | null)[]): void {
    this.#requested += models.length
    this.#lastModel = models.at(-1) ?? this.#lastModel
  }

  /** The provider has answered a message with an error. */
  reject(): void {
    this.#requested = Math.max(0, this.#requested - 1)
  }

  /** @param response undefined if the event has none */
  begin(response: Buffer | undefined): void {
    this.reject()
    this.#begun += 1
    this.#lastModel = (response && readName(response, findMembers(response, ['model'])?.model)) ?? null
  }

  /** Counts the text in an event of the provider. */
  push(json: Buffer): void {
    if (this.#begun === 0 || json.length > longestDelta) return
    if (!json.includes(ofResponse) || !json.includes(deltaEnd) || json.includes(audioDelta)) return
    const delta = findMembers(json, ['delta'])?.delta
    if (!delta || json[delta.from] !== quote) return
    const bytes = delta.to - delta.from - 2
    this.#textTokens += Math.max(1, bytes / bytesPerToken)
    if (json.includes(transcriptDelta)) this.#audioTokens += bytes * audioTokensPerCharacter
  }

  /**
   * Text beyond what the usage covers belongs to other open responses.
   * @param reported undefined if the provider did not report the usage
   * @returns the usage, estimated if it was not reported
   */
  end(reported: TokenUsage | undefined, hasFailed: boolean): TokenUsage {
    const isError = !reported && hasFailed && this.#textTokens === 0
    const usage = isError ? nothing : (reported ?? this.#estimate(Math.max(1, this.#begun)))
    if (this.#begun > 0) this.#begun -= 1
    else this.reject()
    const { promptTokens, completionTokens, audioCompletionTokens = 0 } = usage
    if (!isError) this.#contextTokens = promptTokens + completionTokens
    const isLast = this.#begun === 0
    this.#textTokens = isLast ? 0 : Math.max(0, this.#textTokens - (completionTokens - audioCompletionTokens))
    this.#audioTokens = isLast ? 0 : Math.max(0, this.#audioTokens - audioCompletionTokens)
    return usage
  }

  /**
   * Call it when the session has ended.
   * @returns the likely usage of all unfinished responses together; undefined if there are none
   */
  takeUnfinished(): EndedResponse | undefined {
    if (this.count === 0) return undefined
    this.#begun = this.#requested = 0
    return { model: this.#lastModel, status: 'unfinished', usage: this.#estimate(1), isTranscription: false }
  }

  /** @param responses that have a part of the text */
  #estimate(responses: number): TokenUsage {
    const audioCompletionTokens = Math.round(this.#audioTokens / responses)
    return {
      promptTokens: Math.max(this.#likelyPromptTokens(), this.#contextTokens),
      completionTokens: Math.ceil(this.#textTokens / responses) + audioCompletionTokens,
      cachedTokens: 0,
      audioCompletionTokens,
      isPartial: true,
    }
  }
}
