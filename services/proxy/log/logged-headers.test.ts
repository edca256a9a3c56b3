import { expect, test } from 'vitest'
import { loggedQuery, toLoggedHeaders } from './logged-headers.ts'

const address = '203.0.113.77'

test.each([
  ['x-forwarded-for', `${address}, 10.0.0.1`],
  ['x-forwarded-host', 'gateway.example'],
  ['forwarded', `for=${address};proto=https, for="[2001:db8::7]:4711"`],
  ['cf-pseudo-ipv4', 'hidden'],
  ['x-remote-addr', 'hidden'],
  ['via', '1.1 proxy.example'],
  ['x-anything', address],
  ['x-anything', `${address}:4711`],
  ['x-anything', 'for="[2001:db8::7]:4711"'],
  ['x-anything', '::ffff:203.0.113.77'],
])('row 58: with the client address switched off %s: %s is not logged', (name, value) => {
  expect(toLoggedHeaders({ [name]: value }, false)).toEqual({})
  expect(Object.keys(toLoggedHeaders({ [name]: value }, true))).toEqual([name])
})

const base64 = 'wjreGVMOs0NqifOh86/G5Yd2C9Y/hj46G8dUa8V0akY='
const hexadecimal = '0af7651916cd43dd8448eb211c80319cb7ad6b7169203331'
test.each([
  ['authorization', 'x'],
  ['proxy-authorization', 'x'],
  ['cookie', 'a=b'],
  ['x-auth', 'Basic eDp5'],
  ['x-auth', 'mine'],
  ['auth-user', 'mine'],
  ['x-amz-signature', 'abc'],
  ['x-amz-credential', 'abc'],
  ['x-amz-security-token', 'abc'],
  ['x-session-jwt', 'abc'],
  ['x-my-password', 'abc'],
  ['ocp-apim-subscription-key', '0123456789abcdef0123456789abcdef'],
  ['x-upstream', 'Bearer abc'],
  ['x-upstream', 'to=bearer abc'],
  ['x-upstream', `sk-${'a'.repeat(16)}`],
  ['x-upstream', `x ${'AKIA'}0123456789abcdefGHIJ y`],
  ['x-upstream', base64],
  ['x-upstream', hexadecimal],
  ['location', `https://files.example/x?X-Amz-Signature=${hexadecimal}`],
])('a credential is redacted by its name or its format: %s: %s', (name, value) => {
  expect(toLoggedHeaders({ [name]: value }, true)).toEqual({ [name]: '[redacted]' })
})

test('other headers are logged unchanged', () => {
  const headers = {
    host: '127.0.0.1:3000',
    accept: 'application/json, text/event-stream',
    'content-type': 'multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW',
    'content-length': '123456',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    'x-stainless-runtime-version': 'v24.0.0',
    'idempotency-key': 'stainless-node-retry-0b6f2f2e-8f5a-4c8e-9f5e-2f6a5d0a1c9b',
    'openai-organization': 'org-AbCdEf0123456789AbCdEf01',
    'anthropic-beta': 'prompt-caching-2024-07-31',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'x-request-id': 'req_0af7651916cd43dd8448eb211c80319c',
    'x-ratelimit-remaining-tokens': '149984',
    etag: 'W/"0af7651916cd43dd8448eb211c80319c"',
    date: 'Sun, 22 Nov 2026 12:30:45 GMT',
    'x-conversation': '0b6f2f2e-8f5a-4c8e-9f5e-2f6a5d0a1c9b',
    'x-customer': 'Basically a long-standing customer of ours',
  }
  expect(toLoggedHeaders(headers, true)).toEqual(headers)
  expect(toLoggedHeaders(headers, false)).toEqual(headers)
})

test('the referer is logged without its query', () => {
  const referer = 'https://app.example/reset?code=1234#x'
  expect(toLoggedHeaders({ referer }, true)).toEqual({ referer: 'https://app.example/reset' })
})

test.each([
  ['', null],
  ['?', null],
  ['?limit=3&include[]=a%20b&token', 'limit=3&include[]=a%20b&token'],
  ['?key=a&api_key=b&access_token=c&sig=d', 'key=[redacted]&api_key=[redacted]&access_token=[redacted]&sig=[redacted]'],
  ['?a=1;%6bey=b&q=sk-abcdefabcdefabcd', 'a=1;%6bey=[redacted]&q=[redacted]'],
  ['?a=%', 'a=%'],
  [`?${'a'.repeat(4_096)}`, 'a'.repeat(4_096)],
  [`?${'a'.repeat(4_097)}`, `${'a'.repeat(4_095)}…`],
  [`?${'a'.repeat(4_090)}&key=b`, `${'a'.repeat(4_090)}&key=…`],
])('the query %.50s', (query, logged) =>
  expect(loggedQuery({ endpoint: '/v1/things', pathAndQuery: `/v1/things${query}` })).toBe(logged),
)
