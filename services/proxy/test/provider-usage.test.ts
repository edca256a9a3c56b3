import { IncomingMessage, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createPriceList } from '#schemas/model-prices.ts'
import type { Account } from '../auth/account.ts'
import { relayResponse } from '../forward/relay-response.ts'
import type { JobClaim } from '../keys/object-keys.ts'
import { type ReceivedRequest, RequestLogBuilder } from '../log/request-log-builder.ts'
import { RequestTiming } from '../log/request-timing.ts'
import { readMetadata } from '../request/metadata.ts'
import { ClientSink } from '../response/client-sink.ts'
import { anthropicCases } from './anthropic.fixture.ts'
import { interactionCases } from './google-interactions.fixture.ts'
import { googleCases } from './google.fixture.ts'
import { hostedCases } from './hosted-providers.fixture.ts'
import { completionCases } from './openai-completions.fixture.ts'
import { mediaCases } from './openai-media.fixture.ts'
import { objectCases, responseCases } from './openai-responses.fixture.ts'
import { operatorPrices } from './operator-prices.fixture.ts'
import { otherCases } from './other-providers.fixture.ts'
import type { ProviderCase } from './provider-response.fixture.ts'
import { toolCases } from './provider-tools.fixture.ts'

const account = {
  accountId: 'a',
  models: null,
  streamUsage: true,
  prices: createPriceList({ operator: operatorPrices }),
} as Account
const share = { takeBytes: () => undefined } as never
const client = { destroyed: true, hasHeader: () => false, writeHead: () => undefined, write: () => true } as never

async function receive({ method, path, request: json }: ProviderCase): Promise<ReceivedRequest> {
  const request = new IncomingMessage(new Socket())
  request.method = method
  const target = { endpoint: path, pathAndQuery: path }
  const bytes = json && Buffer.from(JSON.stringify(json))
  const body = bytes && { bytes, length: bytes.length }
  const metadata = await readMetadata(body, { 'content-type': 'application/json' }, target)
  const timing = new RequestTiming(performance.now())
  const rest = { timing, tags: {}, logsBodies: false, body, metadata }
  return { id: 'r', request, clientAddress: undefined, account, target, ...rest }
}

/** The metered log of a response that arrives in pieces of `size` bytes. */
async function meter(given: ProviderCase, size: number, claim: JobClaim | null = { isFirst: true, window: undefined }) {
  const received = await receive(given)
  const log = new RequestLogBuilder(received)
  const sink = new ClientSink(client as ServerResponse, share, 0)
  const body = Buffer.from(given.body)
  const hasLength = given.contentType === 'application/json'
  const headers = {
    'content-type': given.contentType,
    ...(hasLength && { 'content-length': String(body.length) }),
    ...given.headers,
  }
  const proxied = { received, log, sink, response: client, headers: [], reservation: undefined }
  const { response } = relayResponse(proxied, given.status, headers)
  for (let at = 0; at < body.length; at += size) response.push(body.subarray(at, at + size))
  response.end()
  const event = log.complete('completed', sink)
  if (log.jobId !== undefined) log.countJob(claim ?? undefined)
  return event
}

const openAiCases = [...completionCases, ...responseCases, ...toolCases, ...objectCases, ...mediaCases]
const cases = [...openAiCases, ...hostedCases, ...otherCases, ...anthropicCases, ...googleCases, ...interactionCases]

test('the table has 140 responses, each of its own', () => {
  const names = cases.map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  expect(cases.length).toBeGreaterThanOrEqual(140)
})

test.each(cases.map((each) => [each.name, each] as const))('%s', async (_name, given) => {
  const [promptTokens, completionTokens, cachedTokens] = given.tokens ?? []
  const exactly = given.isEstimated ? 'estimated' : 'exact'
  const expected = {
    costNanoUsd: given.cost,
    costSource: given.cost === null ? 'unknown' : exactly,
    ...(given.tokens && { promptTokens, completionTokens, cachedTokens }),
  }
  // Single bytes would take too long for large bodies.
  for (const size of [given.body.length, 997, given.body.length > 10_000 ? 61 : 1]) {
    expect(await meter(given, size)).toMatchObject(expected)
  }
})

const job = cases.find(({ name }) => name === 'a job has ended, plain')!
test.each([
  [
    'is not counted again',
    { isFirst: false, window: undefined },
    { costNanoUsd: 0, costSource: 'exact', promptTokens: null },
  ],
  [
    'is not known while the store of counted jobs is away',
    null,
    { costNanoUsd: null, costSource: 'unknown', promptTokens: null },
  ],
])('the usage of a job %s', async (_what, claim, expected) => {
  expect(await meter(job, job.body.length, claim)).toMatchObject(expected)
})
