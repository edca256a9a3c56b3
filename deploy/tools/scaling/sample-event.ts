import { randomInt, randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { required } from '#tools/process/required.ts'

const accounts = Array.from({ length: 200 }, () => ({ id: uuidv7(), token: uuidv7(), key: uuidv7() }))
const models = ['gpt-4o', 'gpt-4o-mini', 'text-embedding-3-small', 'o3']

/** A request's log event as a line of JSON. Random wherever real requests differ, so that it compresses no better. */
export function eventLine(): string {
  const { id: accountId, token: tokenId, key: apiKeyId } = required(accounts[randomInt(accounts.length)], 'account')
  const responseTimeMs = randomInt(150, 8_000)
  const providerRequestId = `req_${randomUUID().replaceAll('-', '')}`
  const event = requestEvent({
    accountId,
    tokenId,
    apiKeyId,
    model: models[randomInt(models.length)] ?? null,
    status: randomInt(50) === 0 ? 429 : 200,
    responseTimeMs,
    timeToFirstByteMs: randomInt(100, responseTimeMs),
    overheadUs: randomInt(100, 900),
    attemptLog: [{ apiKeyId, startedAfterMs: 0, durationMs: responseTimeMs - 1, result: '200' }],
    providerRequestId,
    streamed: randomInt(2) === 0,
    promptTokens: randomInt(4_000),
    completionTokens: randomInt(1_000),
    cachedTokens: randomInt(2) * 512,
    costNanoUsd: randomInt(20_000_000),
    requestBytes: randomInt(200, 20_000),
    responseBytes: randomInt(300, 9_000),
    clientAddress: `203.0.113.${randomInt(256)}`,
    userAgent: `OpenAI/Python 2.${randomInt(20)}.0`,
    requestHeaders: {
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate',
      'content-type': 'application/json',
      'x-stainless-lang': 'python',
      'x-stainless-os': 'Linux',
      'x-stainless-package-version': `2.${randomInt(20)}.0`,
      'x-stainless-retry-count': '0',
      'x-stainless-runtime': 'CPython',
    },
    responseHeaders: {
      'content-type': 'application/json',
      'openai-processing-ms': String(responseTimeMs - 20),
      'openai-version': '2020-10-01',
      'x-ratelimit-limit-requests': '10000',
      'x-ratelimit-remaining-requests': String(randomInt(10_000)),
      'x-ratelimit-remaining-tokens': String(randomInt(2_000_000)),
      'x-request-id': providerRequestId,
    },
  })
  return JSON.stringify(event)
}
