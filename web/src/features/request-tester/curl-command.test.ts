import { expect, it } from 'vitest'
import { curlCommand } from './curl-command.ts'
import { defaultRequest } from './tester-request.ts'

it('quotes for the shell and leaves the credential open', () => {
  const request = { ...defaultRequest, body: `{"input":"it's $HOME \`id\`"}` }
  expect(curlCommand(request, 'https://gate.example')).toBe(
    [
      String.raw`curl -X 'POST' 'https://gate.example/api/proxy/v1/chat/completions' \ `.trimEnd(),
      String.raw`  -H 'Authorization: Bearer st_your_token' \ `.trimEnd(),
      String.raw`  -H 'Content-Type: application/json' \ `.trimEnd(),
      `  --data-raw '{"input":"it'\\''s $HOME \`id\`"}'`,
    ].join('\n'),
  )
})

it('keeps a credential that was typed and sends no body with GET', () => {
  const request = { ...defaultRequest, method: 'GET' as const, headers: '{"authorization":"Bearer st_mine"}' }
  expect(curlCommand(request, 'http://localhost')).not.toContain('your_token')
  expect(curlCommand(request, 'http://localhost')).not.toContain('data-raw')
})
