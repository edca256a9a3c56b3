import { expect, test } from 'vitest'
import { isStatefulRequest, searchesByItself } from './stateful-request.ts'

test.each([
  ['/v1/chat/completions', '{}', false],
  ['/v1/chat/completions', '{"messages":[{"store":true}]}', false],
  ['/v1/chat/completions', '{"store":null,"background":false}', false],
  ['/v1/chat/completions', '{"store" : true}', true],
  ['/v1/chat/completions', '{"store":false,"store":true}', true],
  ['/v1/chat/completions', '{"store":true,"store":false}', true],
  ['/v1/chat/completions', '--multipart "store":true', false],
  ['/v1/messages', '{"container":"container_1"}', true],
  ['/v1/responses', '{}', true],
  ['/v1/responses', 'no JSON', true],
  ['/v1/deployments/gpt-4o/responses', '{}', true],
  ['/v1/responses', '{"store":null}', true],
  ['/v1/responses', '{"store":false}', false],
  ['/v1/responses', '{"store":false,"previous_response_id":null,"conversation":null}', false],
  ['/v1/responses', '{"store":false,"background":true}', true],
  ['/v1/responses', '{"store":false,"conversation":{"id":"conv_1"}}', true],
  ['/v1/responses', '{"store":false,"previous_response_id":"resp_1"}', true],
  ['/v1/responses', '{"store":false,"prompt":{"id":"pmpt_1"}}', true],
  ['/v1/completions', '{"prompt":"Say hello"}', false],
  ['/v1/messages', '{"mcp_servers":[{"url":"https://mcp.example"}]}', true],
  ['/v1/chat/completions', '{"web_search_options":{}}', true],
  ['/v1/deployments/gpt-4o/chat/completions', '{"data_sources":[{"type":"azure_search"}]}', true],
  ['/v1/chat/completions', '{"enable_search":true}', true],
  ['/v1/chat/completions', '{"plugins":[{"id":"web"}]}', true],
  ['/v1/models/gemini:generateContent', '{"cachedContent":"cachedContents/a"}', true],
])('%s %s is stateful: %s', async (endpoint, body, isStateful) => {
  expect(await isStatefulRequest(endpoint, Buffer.from(body))).toBe(isStateful)
})

const toolTypes = (...types: string[]) => types.map((type) => ({ type, name: 'look_up' }))
test.each<[string, unknown, boolean]>([
  ['/v1/responses', null, false],
  ['/v1/responses', [], false],
  ['/v1/responses', toolTypes('function', 'custom'), false],
  ['/v1/responses', toolTypes('function', 'web_search'), true],
  ['/v1/responses', toolTypes('web_search_preview'), true],
  ['/v1/responses', toolTypes('file_search'), true],
  ['/v1/responses', toolTypes('code_interpreter'), true],
  ['/v1/responses', toolTypes('computer_use_preview'), true],
  ['/v1/responses', toolTypes('image_generation'), true],
  ['/v1/responses', toolTypes('mcp'), true],
  ['/v1/responses', toolTypes('one_of_next_year'), true],
  ['/v1/responses', [null], true],
  ['/v1/responses', [{ google_search: {} }], true],
  ['/v1/responses', 'function', true],
  ['/v1/responses', [{ type: 'function', description: 'x'.repeat(300_000) }], true],
  ['/v1/messages', [{ name: 'look_up', input_schema: {} }], false],
  ['/v1/messages', toolTypes('web_search_20250305'), true],
  ['/v1/models/gemini:generateContent', [{ functionDeclarations: [] }, { function_declarations: [] }], false],
  ['/v1/models/gemini:generateContent', [{ functionDeclarations: [], googleSearch: {} }], true],
  ['/v1/chat/completions', [{ type: 'function', function: { name: 'look_up' } }], false],
])('%s with the tools %.60j is stateful: %s', async (endpoint, tools, isStateful) => {
  expect(await isStatefulRequest(endpoint, Buffer.from(JSON.stringify({ store: false, tools })))).toBe(isStateful)
})

test('tools that are named twice are stateful', async () => {
  const body = '{"store":false,"tools":[{"type":"mcp"}],"tools":[]}'
  expect(await isStatefulRequest('/v1/responses', Buffer.from(body))).toBe(true)
})

test.each([
  ['gpt-4o-search-preview', true],
  ['gpt-5-search-api-2025-10-14', true],
  ['o4-mini-deep-research', true],
  ['perplexity/sonar-pro', true],
  ['sonar', true],
  ['openai/gpt-4o:online', true],
  ['gpt-4o', false],
  ['text-search-babbage-doc-001', false],
  ['google/gemini-2.5-flash:nitro', false],
  [null, false],
])('the model %s searches by itself: %s', (model, searches) => {
  expect(searchesByItself(model)).toBe(searches)
})
