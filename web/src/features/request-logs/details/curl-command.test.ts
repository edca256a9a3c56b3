import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { curlCommand } from './curl-command.ts'

const proxyUrl = 'http://127.0.0.1:3000/api/proxy'

it('writes a command without credentials and hop-by-hop headers', () => {
  const command = curlCommand(
    {
      method: 'POST',
      endpoint: '/v1/chat/completions',
      query: 'api-version=1&key=[redacted]&after=a%20b',
      requestHeaders: {
        Authorization: 'Bearer x',
        'api-key': '[redacted]',
        'Content-Length': '9',
        'content-type': 'application/json',
      },
      requestBody: `{"a":"it's"}`,
    },
    proxyUrl,
  )
  expect(command).toBe(
    [
      `curl -X 'POST' '${proxyUrl}/v1/chat/completions?api-version=1&after=a%20b'`,
      '-H "Authorization: Bearer $SALLYPORT_TOKEN"',
      "-H 'content-type: application/json'",
      `--data-raw '{"a":"it'\\''s"}'`,
    ].join(' \\\n  '),
  )
})

it('says that the body was cut, as a comment', () => {
  const request = { method: 'POST', endpoint: '/v1/x', query: null, requestHeaders: null, requestBody: '{"a":' }
  const [comment, ...command] = curlCommand(request, proxyUrl, 'body was cut at 256 KiB of 5.2 MB').split('\n')
  expect(comment).toBe('# The logged body was cut at 256 KiB of 5.2 MB: this sends only its beginning')
  expect(command.join('\n')).toBe(curlCommand(request, proxyUrl))
})

it.each([
  [null, '/v1/files', ''],
  ['key=[redacted]', '/v1/files', ''],
  ['after=a&before=b…', '/v1/files?after=a&before=b', ''],
  ['include[]=a&b=1;key=[redacted]', '/v1/files?include[]=a', ' \\\n  --globoff'],
])('sends the query %j', (query, path, option) => {
  const request = { method: 'GET', endpoint: '/v1/files', query, requestHeaders: null, requestBody: null }
  const expected = `curl -X 'GET' '${path}' \\\n  -H "Authorization: Bearer $SALLYPORT_TOKEN"${option}`
  expect(curlCommand(request, '')).toBe(expected)
})

it('gives the shell nothing to run, whatever was logged', () => {
  const hostile = fc.string().filter((text) => !text.includes('\0'))
  fc.assert(
    fc.property(hostile, hostile, (endpoint, requestBody) => {
      const command = curlCommand({ method: 'POST', endpoint, query: null, requestHeaders: null, requestBody }, '')
      const script = command.replace(/^curl/, 'printf "%s\\0"')
      const args = execFileSync('sh', ['-c', script], { env: {} }).toString().split('\0')
      expect([args[2], args[6]]).toEqual([endpoint, requestBody])
    }),
    { numRuns: 25 },
  )
})
