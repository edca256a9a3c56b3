import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { renameContinue } from './unasked-continue.ts'

const [asked, hinted, hints] = [
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 102 Continue\r\n\r\n',
  'HTTP/1.1 103 x\r\n\r\n',
]
const response = 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'

test.each([
  ['one byte', ['H', 'TTP/1.1 200 OK'], ['H', 'TTP/1.1 200 OK']],
  ['a part of a status line', ['HTTP/1.1 1'], ['HTTP/1.1 1']],
  ['the end of an interim response', [asked, asked, response], [hinted, hinted, response]],
  ['several at once', [asked + hints + asked + response], [hinted + hints + hinted + response]],
  ['a part of the next one', [asked + 'HTTP', '/1.1 200 OK'], [hinted + 'HTTP', '/1.1 200 OK']],
  ['a change of protocol', ['HTTP/1.1 101 x\r\n\r\n', asked], ['HTTP/1.1 101 x\r\n\r\n', asked]],
])('a packet may end after %s', (_what, sent, read) => {
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
  renameContinue(socket)
  socket.write('a request')
  const chunks = sent.map((chunk) => {
    socket.push(chunk)
    return String(socket.read())
  })
  expect(chunks).toEqual(read)
})
