import { expect, test } from 'vitest'
import { useTestBench } from './gateway.fixture.ts'
import { authorizedHead, head, RawConnection } from './raw-http.fixture.ts'

/** The cases of h1spec, in its order and under its names; see http.md. */
const bench = await useTestBench()
const gateway = await bench.startGateway()
const { account, upstream } = await bench.createAccountWithUpstream()
const auth = `Authorization: Bearer ${account.token.secret}`
const path = '/api/proxy/v1/things'
const get = (...lines: string[]) => head(`GET ${path} HTTP/1.1`, auth, ...lines)

const fragments = [
  ['Fragmented method', 'G'],
  ['Fragmented URL 1', 'GET '],
  ['Fragmented URL 2', `GET ${path}`],
  ['Fragmented URL 3', `GET ${path} `],
  ['Fragmented HTTP version', `GET ${path} HTTP`],
  ['Fragmented request line', `GET ${path} HTTP/1.1`],
  ['Fragmented request line newline 1', `GET ${path} HTTP/1.1\r`],
  ['Fragmented request line newline 2', `GET ${path} HTTP/1.1\r\n`],
  ['Fragmented field name', `GET ${path} HTTP/1.1\r\nHos`],
  ['Fragmented field value 1', `GET ${path} HTTP/1.1\r\nHost:`],
  ['Fragmented field value 2', `GET ${path} HTTP/1.1\r\nHost: `],
  ['Fragmented field value 3', `GET ${path} HTTP/1.1\r\nHost: localhost`],
  ['Fragmented field value 4', `GET ${path} HTTP/1.1\r\nHost: localhost\r`],
  ['Fragmented request', `GET ${path} HTTP/1.1\r\nHost: localhost\r\n`],
  ['Fragmented request termination', `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${auth}\r\n\r`],
] as const

test.concurrent.each(fragments)('%s: waits for the rest', async (_name, sent) => {
  const whole = head(`GET ${path} HTTP/1.1`, 'Host: localhost', auth)
  const connection = new RawConnection(gateway.port).send(sent)
  // A response to the fragment alone would arrive before that of a whole request on another connection.
  const other = await new RawConnection(gateway.port)
    .send(authorizedHead(`GET ${path}`, account.token.secret))
    .responses(1)
  expect(connection.text).toBe('')
  expect((await connection.send(whole.slice(sent.length)).responses(1)).statuses).toEqual([200])
  for (const each of [other, connection]) each.close()
})

test.concurrent.each([
  ['Request with Expect header', get('Host: a', 'Expect: 100-continue'), [200]],
  ['Valid GET request', get('Host: a'), [200]],
  ['Valid GET request with edge cases', get('hoSt:\texample.com', 'empty:'), [200]],
  ['Empty header value', get('Host: a', 'X-Empty-Header: '), [200]],
  ['Valid POST request with body', get('Host: a', 'Content-Length: 5').replace('GET', 'POST') + 'hello', [200]],
] as const)('%s: is passed on', async (_name, sent, statuses) => {
  const connection = await new RawConnection(gateway.port).send(sent).responses(statuses.length)
  expect(connection.statuses).toEqual(statuses)
  connection.close()
})

test.each([
  ['Request without HTTP version', `GET ${path} \r\n\r\n`],
  ['Invalid header characters', get('Host: a', 'X-Invalid[]: test')],
  ['Missing Host header', get('Content-Length: 5')],
  ['Multiple Host headers', get('Host: example.com', 'Host: example.org')],
  ['Overflowing negative Content-Length header', get('Host: a', 'Content-Length: -123456789123456789123456789')],
  ['Negative Content-Length header', get('Host: a', 'Content-Length: -1234')],
  ['Non-numeric Content-Length header', get('Host: a', 'Content-Length: abc')],
  ['Header containing invalid control character', get('Host: a', 'X-Bad-Control-Char: test\x07')],
  ['Invalid HTTP version', get('Host: a').replace('1.1', '9.9')],
  ['Invalid prefix of request', `Extra line${get('Host: a')}`],
  ['Invalid line ending', `GET ${path} HTTP/1.1\r\nHost: a\r\n\rSome-Header: Test\r\n\r\n`],
  [
    'Conflicting Transfer-Encoding and Content-Length',
    get('Host: a', 'Transfer-Encoding: chunked', 'Content-Length: 5'),
  ],
])('%s: 400', async (_name, sent) => {
  const before = upstream.heads.length
  expect((await new RawConnection(gateway.port).send(sent).end()).statuses).toEqual([400])
  expect(upstream.heads.length).toBe(before)
})
