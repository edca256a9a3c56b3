import { second } from '#core/units.ts'
import { parseJson } from '#schemas/parse-json.ts'
import { findMembers, type Member } from '../request/json/find-members.ts'
import { type EndedResponse, OpenResponses } from './open-responses.ts'
import { readName, usageOf } from './response-usage.ts'
import { largestCount, objectOf, readDuration, type TokenUsage } from './token-usage.ts'
import { toolUsageOf } from './tool-usage.ts'

const transcriptionEnd = 'conversation.item.input_audio_transcription.completed'
const [beginningEvent, errorEvent, decisionEvent] = ['response.created', 'error', 'decision.completed']
const startRequest = 'session.start'
/** Events that end a response. */
const endingEvents = ['response.done', 'response.completed', 'response.incomplete', 'response.failed', transcriptionEnd]
/** Events with the settings of a session, including its transcription model. */
const settingEvents = ['session.created', 'session.started', 'session.updated', 'transcription_session.updated']
/** Events with the billed duration of a session so far, the last one at its end. */
const closingEvent = 'session.closed'
const durationEvents = ['session.usage.updated', closingEvent]
/** Other messages, mostly audio, are not parsed. */
const markers = [beginningEvent, errorEvent, decisionEvent, ...endingEvents, ...settingEvents, ...durationEvents].map(
  (type) => Buffer.from(`"${type}"`),
)

/** Reads the messages of a provider in one session. */
export class SessionReader {
  /** As named in the session's settings. */
  model: string | null = null
  /** Model of the responses or decisions to which a session of GPT-Live delegates. */
  backendModel: string | null = null
  readonly open: OpenResponses
  readonly isBilledByTime: boolean
  readonly #likelyPromptTokens: () => number
  #transcriptionModel: string | null = null
  #requestedModel: string | null = null
  /** Of the client's messages, if they are read, those that the provider has not rejected before the session started. */
  #sentMessages = 0
  #hasStarted = false
  #hasEnded = false
  /** The last report of the duration, and when it came, ms. Undefined before the session starts and after its end. */
  #lastReport: { seconds: number; at: number } | undefined

  /**
   * @param likelyPromptTokens likely minimum number of tokens in a prompt
   * @param isBilledByTime whether the session costs by its duration, too
   */
  constructor(likelyPromptTokens: () => number, isBilledByTime = false) {
    this.open = new OpenResponses(likelyPromptTokens)
    this.#likelyPromptTokens = likelyPromptTokens
    this.isBilledByTime = isBilledByTime
  }

  /**
   * The duration of a session that is billed by it and has not ended: as last reported, and the time since. Providers bill
   * silence, too. Undefined while its model is not known, because the provider has yet to start a fork.
   */
  get duration(): EndedResponse | undefined {
    return this.#hasStarted || this.#requestedModel !== null ? this.#unfinishedDuration : undefined
  }

  get #unfinishedDuration(): EndedResponse | undefined {
    if (!this.#lastReport) return undefined
    const { seconds, at } = this.#lastReport
    const usage = readDuration(Math.min(seconds + (performance.now() - at) / second, largestCount))
    return this.#lasted(usage && { ...usage, isPartial: true }, 'unfinished')
  }

  /**
   * A session that is billed by its duration has been sent a client's message. The request to start it counts as its start,
   * because a client that takes nothing would delay the confirmation.
   */
  send(json: Buffer): void {
    if (this.#hasStarted || this.#hasEnded) return
    this.#sentMessages += 1
    const message = findMembers(json, ['type', 'session'])
    const type = readName(json, message?.type)
    if (type !== undefined && type !== startRequest) return
    this.#requestedModel ??= modelOf(within(json, message?.session)) ?? null
    this.#begin()
  }

  /** @returns undefined if the message ends neither a response nor a session that is billed by its duration */
  read(json: Buffer): EndedResponse | undefined {
    const event = (this.isBilledByTime && eventOfBackend(json)) || json
    this.open.push(event)
    return markers.some((marker) => event.includes(marker)) ? this.#readEvent(event) : undefined
  }

  #readEvent(json: Buffer): EndedResponse | undefined {
    const event = findMembers(json, ['type', 'response', 'session', 'usage'])
    const type = readName(json, event?.type)
    if (!event || !type) return undefined
    if (this.isBilledByTime && durationEvents.includes(type))
      return this.#readReport(durationOf(within(json, event.usage)), type)
    if (settingEvents.includes(type)) this.#readSettings(within(json, event.session))
    if (type === errorEvent) this.#reject()
    if (type === beginningEvent) this.open.begin(within(json, event.response))
    if (this.isBilledByTime && type === decisionEvent) return this.#readDecision(json)
    if (!endingEvents.includes(type)) return undefined
    if (type === transcriptionEnd) {
      const usage = usageOf(json, event.usage)
      return { model: this.#transcriptionModel, status: null, usage, isTranscription: true }
    }
    const source = within(json, event.response) ?? json
    const response = findMembers(source, ['model', 'status', 'usage', 'service_tier', 'tool_usage', 'tools'])
    const reported = usageOf(source, response?.usage)
    const tier = readName(source, response?.service_tier)
    if (reported && tier !== undefined) reported.serviceTier = tier
    if (reported && response) Object.assign(reported, toolUsageOf(source, response))
    const model = readName(source, response?.model) ?? this.backendModel
    const status = readName(source, response?.status) ?? null
    const usage = this.open.end(reported, status === 'failed')
    return { model, status, usage, isTranscription: false }
  }

  /** A decision is not among the requested responses: transcripts trigger it, too. */
  #readDecision(json: Buffer): EndedResponse {
    const decision = memberOf(json, 'decision') ?? json
    const { model, usage } = findMembers(decision, ['model', 'usage']) ?? {}
    const named = readName(decision, model) ?? this.backendModel
    const likely = { promptTokens: this.#likelyPromptTokens(), completionTokens: 0, cachedTokens: 0, isPartial: true }
    return { model: named, status: null, usage: usageOf(decision, usage) ?? likely, isTranscription: false }
  }

  /** Call it when the session has ended. @returns the likely usage that was not reported */
  takeUnfinished(): EndedResponse[] {
    const responses = this.open.takeUnfinished()
    const unfinished = [
      responses && { ...responses, model: responses.model ?? this.backendModel },
      this.#unfinishedDuration,
    ]
    this.#lastReport = undefined
    this.#hasEnded = true
    return unfinished.filter((each) => each !== undefined)
  }

  /** What comes after the report of the end, such as another one, counts nothing. */
  #readReport(usage: TokenUsage | undefined, type: string): EndedResponse | undefined {
    if (usage?.seconds === undefined || this.#hasEnded) return undefined
    this.#hasEnded = type === closingEvent
    this.#lastReport = this.#hasEnded ? undefined : { seconds: usage.seconds, at: performance.now() }
    return this.#hasEnded ? this.#lasted(usage, null) : undefined
  }

  #begin(): void {
    if (this.isBilledByTime && !this.#hasEnded) this.#lastReport ??= { seconds: 0, at: performance.now() }
  }

  /** An error is known to reject the request to start only if nothing else was sent. */
  #reject(): void {
    this.open.reject()
    if (this.#hasStarted || this.#sentMessages !== 1) return
    this.#sentMessages = 0
    this.#requestedModel = null
    this.#lastReport = undefined
  }

  #lasted(usage: TokenUsage | undefined, status: string | null): EndedResponse {
    return { model: this.model ?? this.#requestedModel, status, usage, isTranscription: false }
  }

  /** The transcription's model is in `audio.input.transcription`, formerly in `input_audio_transcription`. */
  #readSettings(session: Buffer | undefined): void {
    this.#begin()
    this.#hasStarted = true
    const older = memberOf(session, 'input_audio_transcription')
    const input = memberOf(memberOf(session, 'audio'), 'input')
    const delegation = memberOf(session, 'delegation')
    const backends = ['responses', 'decisions'].map((name) => modelOf(memberOf(delegation, name)))
    this.model = modelOf(session) ?? this.model
    this.backendModel = backends.find((model) => model !== undefined) ?? this.backendModel
    this.#transcriptionModel = modelOf(older ?? memberOf(input, 'transcription')) ?? this.#transcriptionModel
  }
}

const backendEvents = ['response.event', 'decision.event']
const backendMarkers = backendEvents.map((type) => Buffer.from(`"${type}"`))

/** An event of a response or decision by the session's backend, in an event of the session. */
function eventOfBackend(json: Buffer): Buffer | undefined {
  if (!backendMarkers.some((marker) => json.includes(marker))) return undefined
  const { type, event } = findMembers(json, ['type', 'event']) ?? {}
  return backendEvents.includes(readName(json, type) ?? '') ? within(json, event) : undefined
}

const modelOf = (json: Buffer | undefined): string | undefined =>
  json && readName(json, findMembers(json, ['model'])?.model)

const durationOf = (usage: Buffer | undefined): TokenUsage | undefined =>
  usage && readDuration(objectOf(parseJson(usage.toString()))['seconds'])

const memberOf = (json: Buffer | undefined, name: string): Buffer | undefined =>
  json && within(json, findMembers(json, [name])?.[name])

const within = (json: Buffer, member: Member | undefined): Buffer | undefined =>
  member && json.subarray(member.from, member.to)
