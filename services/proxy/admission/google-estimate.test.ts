import { expect, test } from 'vitest'
import { estimate } from './estimate.ts'
import { received } from './estimate.fixture.ts'
import { Expectations } from './expectations.ts'

const google = '/v1/models/m:streamGenerateContent'
test.each<[object | string, number | undefined]>([
  [{ generationConfig: { maxOutputTokens: 7 } }, 7],
  [{ generation_config: { max_output_tokens: '7', candidate_count: 3 } }, 21],
  [{ generationConfig: { maxOutputTokens: 7, max_output_tokens: 9, candidateCount: 2 } }, 18],
  [{ contents: [{ generationConfig: { maxOutputTokens: 7 } }] }, 4_096],
  [{ generationConfig: null, max_tokens: 7, n: 9 }, 4_096],
  [{ generationConfig: { maxOutputTokens: 7 }, generation_config: {} }, undefined],
  ['{"generationConfig":{"maxOutputTokens":9},"generationConfig":{"maxOutputTokens":7}}', undefined],
  ['{"generationConfig":{"maxOutputTokens":9,"maxOutputTokens":7}}', undefined],
])("%j: what Google's completion may take at most: %s", async (json, completion) => {
  const request = await received(google, json)
  const { tokens, isPriced } = estimate(request, new Expectations())
  expect(isPriced).toBe(completion !== undefined)
  if (completion !== undefined) expect(tokens).toBe(request.body!.length! + completion)
})

test('terms of an interaction have the same names', async () => {
  const request = await received('/v1/interactions', { model: 'm', generation_config: { max_output_tokens: 7 } })
  expect(estimate(request, new Expectations())).toMatchObject({ isPriced: true, tokens: request.body!.length! + 7 })
})

test.each([
  { previous_interaction_id: 'v1_a' },
  { continuation_token: 'a' },
  { input: [{ type: 'document', uri: 'https://example.com/a' }] },
  { tools: [{ type: 'url_context' }] },
])('%j: an interaction with text that is not in the request may be long', async (json) => {
  const { costNanoUsd } = estimate(await received('/v1/interactions', { model: 'm', ...json }), new Expectations())
  expect(costNanoUsd).toBeGreaterThan(250_000_000)
})

test.each([
  [{ cachedContent: 'cachedContents/a' }],
  [{ contents: [{ parts: [{ fileData: { fileUri: 'https://example.com/a' } }] }] }],
  [{ tools: [{ url_context: {} }] }],
])('%j: a prompt at Google with text that is not in the request may be long', async (json) => {
  const { costNanoUsd } = estimate(await received(google, json), new Expectations())
  expect(costNanoUsd).toBeGreaterThan(250_000_000)
})

test.each([
  [`${google}?alt=sse`, true],
  [google, false],
])("Google's stream %s can be ended: %s", async (path, isStream) => {
  const expected = estimate(await received(path, { contents: [] }), new Expectations())
  expect(expected).toMatchObject({ isPriced: true, isStream })
})
