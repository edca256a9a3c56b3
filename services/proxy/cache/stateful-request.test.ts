import { expect, test } from 'vitest'
import { isStatefulRequest } from './stateful-request.ts'

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
  ['/v1/responses', '{"store":null}', true],
  ['/v1/responses', '{"store":false}', false],
  ['/v1/responses', '{"store":false,"previous_response_id":null,"conversation":null}', false],
  ['/v1/responses', '{"store":false,"background":true}', true],
  ['/v1/responses', '{"store":false,"conversation":{"id":"conv_1"}}', true],
  ['/v1/responses', '{"store":false,"previous_response_id":"resp_1"}', true],
])('%s %s is stateful: %s', async (endpoint, body, isStateful) => {
  expect(await isStatefulRequest(endpoint, Buffer.from(body))).toBe(isStateful)
})
