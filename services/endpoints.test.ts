import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { endpoints, findEndpoint } from '#schemas/endpoints.ts'
import { createPriceList } from '#schemas/model-prices.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { dataPlanePaths } from './api/openapi/data-plane.ts'
import type { Account } from './proxy/auth/account.ts'
import { cacheTerms } from './proxy/cache/response-cache.ts'
import type { ReceivedRequest } from './proxy/log/request-log-builder.ts'
import { readMetadata } from './proxy/request/metadata.ts'
import { meter } from './proxy/usage/metering.ts'

const account = { accountId: 'a', origin: 'https://api.example', basePath: '/v1', cacheSeconds: 60 } as Account
const bytes = Buffer.from('{"model":"gpt-4o","stream":true,"store":false}')
const body = { bytes, length: bytes.length }
const targetOf = (path: string) => ({ endpoint: path, pathAndQuery: path })

test.each(endpoints)('metering, cache, request metadata and OpenAPI know $method $path', async (endpoint) => {
  const { method, streamUsage, isCacheable, isFree, documentation } = endpoint
  const path = endpoint.path.replace('{operation}', 'edits').replace('*', 'meta-llama/Llama-3')
  const request = { method, headers: {} } as IncomingMessage

  const target = targetOf(path)
  const metadata = await readMetadata(body, { 'content-type': 'application/json' }, target)
  const received = { account, request, target, body, metadata } as ReceivedRequest
  expect((await cacheTerms(received)) !== undefined).toBe(isCacheable)
  expect(metadata.bodyWithUsage !== undefined).toBe(streamUsage === 'on-request')
  const event = requestEvent({ endpoint: path, streamed: true })
  const stream = { promptTokens: 1, completionTokens: 3, audioCompletionTokens: 0 }
  const { costSource } = meter(event, createPriceList(), { stream, fallbacks: [] })
  expect(costSource).toBe(isFree ? 'exact' : streamUsage ? 'estimated' : 'unknown')
  const operation = dataPlanePaths[`/api/proxy${path}`]?.[method.toLowerCase()]
  expect(operation?.operationId).toBe(documentation?.operationId)
})

test.each(['/v1/files', '/v1/batches', '/v1/chat/completions/abc', '/v1/audio/voices', '/v1/models-x', '/v1/images/'])(
  '%s is forwarded without being known, and not cached',
  async (path) => {
    expect(findEndpoint(path)).toBeUndefined()
    const request = { method: 'POST', headers: {} } as IncomingMessage
    const target = targetOf(path)
    const metadata = await readMetadata(body, { 'content-type': 'application/json' }, target)
    const received = { account, request, target, body, metadata } as ReceivedRequest
    expect(await cacheTerms(received)).toBeUndefined()
  },
)
