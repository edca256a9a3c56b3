import { v7 as uuidv7 } from 'uuid'
import { createPriceList } from '#schemas/model-prices.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { customers, type Ending, endings, type Workload, workloads } from './demo-workloads.ts'
import { createRandom, type Random } from './random.ts'

const hourMs = 3_600_000
const hours = 48
const busiestHourRequests = 160
const bytesPerToken = 4
const prices = createPriceList()
const userAgents = ['openai-node/7.55.0', 'openai-python/2.8.1', 'curl/8.14.1']

interface DemoCredentials {
  accountId: string
  apiKeyId: string
  /** The first token is used more often. */
  tokenIds: readonly [string, string]
}

/** Creates two days of requests up to `now`, oldest first; deterministic for the same `now`. */
export function createHistory(credentials: DemoCredentials, now: number): RequestEvent[] {
  const random = createRandom(20_260_101)
  const start = now - hours * hourMs
  return Array.from({ length: hours }, (_, hour) => {
    const from = start + hour * hourMs
    const count = Math.round(busiestHourRequests * activity(from) * (0.8 + 0.4 * random.next()))
    const times = Array.from({ length: count }, () => from + random.next() * hourMs).toSorted((a, b) => a - b)
    return times.map((time) => createEvent(random, credentials, Math.floor(time)))
  }).flat()
}

/** @returns from 0.1 at night to 1 at two in the afternoon */
function activity(time: number): number {
  const hour = new Date(time).getUTCHours() + new Date(time).getUTCMinutes() / 60
  return 0.1 + 0.9 * Math.max(0, Math.cos(((hour - 14) / 24) * 2 * Math.PI)) ** 1.5
}

function createEvent(random: Random, { accountId, apiKeyId, tokenIds }: DemoCredentials, time: number): RequestEvent {
  const workload = random.pick(workloads)
  const ending = random.pick(endings)
  const streamed = random.chance(workload.streamed)
  const tokens = ending.status === 200 ? countTokens(random, workload, ending) : undefined
  const { timeToFirstByteMs, responseTimeMs } = measure(
    random,
    workload,
    ending,
    tokens?.completionTokens ?? 0,
    streamed,
  )
  const overheadUs = random.between(180, 900)
  const customer = customers[Math.floor(customers.length * random.next() ** 2)] ?? customers[0]
  return {
    version: 1,
    id: uuidv7({ msecs: time, random: random.bytes(16) }),
    accountId,
    tokenId: random.chance(0.7) ? tokenIds[0] : tokenIds[1],
    apiKeyId,
    method: 'POST',
    endpoint: workload.endpoint,
    model: workload.model,
    status: ending.status,
    responseTimeMs,
    timeToFirstByteMs: ending.outcome === 'upstream_failed' ? null : timeToFirstByteMs,
    overheadUs,
    attempts: ending.attempts,
    attemptLog: listAttempts(ending, apiKeyId, responseTimeMs),
    cacheStatus: null,
    providerRequestId:
      ending.outcome === 'upstream_failed' ? null : `req_${Buffer.from(random.bytes(12)).toString('hex')}`,
    streamed,
    promptTokens: tokens?.promptTokens ?? null,
    completionTokens: tokens?.completionTokens ?? null,
    cachedTokens: tokens?.cachedTokens ?? null,
    costNanoUsd: tokens ? prices.costNanoUsd(workload.model, tokens) : null,
    costSource: tokens ? 'exact' : 'unknown',
    requestBytes: (tokens?.promptTokens ?? 200) * bytesPerToken + 180,
    responseBytes: (tokens?.completionTokens ?? 40) * bytesPerToken * (streamed ? 40 : 1) + 420,
    ...(ending.error ?? { errorMessage: null, errorCode: null, errorType: null }),
    query: null,
    tags: { customer, feature: workload.feature },
    clientAddress: '127.0.0.1',
    userAgent: userAgents[Math.floor(random.next() * userAgents.length)] ?? null,
    requestHeaders: { 'content-type': 'application/json' },
    responseHeaders: { 'content-type': streamed && ending.status === 200 ? 'text/event-stream' : 'application/json' },
    requestBody: null,
    responseBody: null,
    outcome: ending.outcome,
    requestCount: 1,
  }
}

function countTokens(random: Random, { promptTokens, completionTokens }: Workload, { duration }: Ending) {
  const prompt = random.between(...promptTokens)
  return {
    promptTokens: prompt,
    completionTokens: Math.round(random.between(...completionTokens) * Math.min(duration, 1)),
    cachedTokens: prompt > 1_024 && random.chance(0.4) ? Math.floor(prompt / 128 / 2) * 128 : 0,
  }
}

function measure(
  random: Random,
  workload: Workload,
  { duration }: Ending,
  completionTokens: number,
  streamed: boolean,
) {
  const firstByteMs = workload.firstByteMs * random.longTail(0.4) * (random.chance(0.02) ? 5 : 1)
  const wholeMs = (firstByteMs + completionTokens * workload.msPerToken * random.longTail(0.15)) * duration
  const responseTimeMs = Math.max(1, Math.round(wholeMs))
  return {
    responseTimeMs,
    timeToFirstByteMs: streamed ? Math.min(Math.round(firstByteMs), responseTimeMs) : responseTimeMs,
  }
}

/** All attempts but the last failed; each takes an equal share of the time. */
function listAttempts(ending: Ending, apiKeyId: string, responseTimeMs: number): RequestEvent['attemptLog'] {
  const share = Math.floor(responseTimeMs / ending.attempts)
  return Array.from({ length: ending.attempts }, (_, index) => ({
    apiKeyId,
    startedAfterMs: index * share,
    durationMs: share,
    result: String(index === ending.attempts - 1 || ending.status !== 200 ? ending.status : 503),
  }))
}
