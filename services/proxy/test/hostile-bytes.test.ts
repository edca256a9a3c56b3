import { describe, expect, test } from 'vitest'
import { kib, mib } from '#core/units.ts'
import type { ResponseSink } from '../response/response.ts'
import { SecretMask } from '../response/secret-mask.ts'
import { EventStreamResponse } from '../response/event-stream.ts'
import { Tail } from '../response/tail.ts'
import { JsonResponse } from '../response/json.ts'
import { visitMembers } from '../request/json/visit-members.ts'
import { toLoggedHeaders } from '../log/logged-headers.ts'
import { FrameMask } from '../realtime/frames.ts'
import { retryAfterMs } from '../keys/retry-policy.ts'
import { StreamUsageFilter } from '../usage/stream-usage-filter.ts'
import { parseTarget } from '../request/target.ts'
import { findTokenUsage, usageOfResponse } from '../usage/token-usage.ts'

/** No turn of the event loop may take longer, ms of its own processor time: whatever else the machine does. */
const longestTurnMs = 50

/** What comes in one turn at the most: a socket is read in pieces of this size, and each chunk has a frame around it. */
const turnBytes = 64 * kib
const chunkFrameBytes = 5

const repeated = (text: string, bytes: number) =>
  Buffer.from(text.repeat(Math.ceil(bytes / text.length))).subarray(0, bytes)

/** Markers of everything that is looked for in the bytes of an upstream, over and over. */
const floods = (bytes: number): [string, Buffer][] => [
  ['usage objects that do not end', repeated('"usage":{', bytes)],
  ['usage objects that say nothing', repeated('"usage":{},', bytes)],
  ['a frame of empty choices', Buffer.concat([Buffer.from('data: {"usage" '), repeated('"choices":[]', bytes)])],
  ['members of that name', Buffer.concat([Buffer.from('data: {'), repeated('"usage":null,"choices":[],', bytes)])],
  ['nested responses', repeated('{"response":', bytes)],
  ['quotes', repeated('"', bytes)],
  ['backslashes', Buffer.concat([Buffer.from('"'), repeated('\\', bytes)])],
  ['opening brackets', repeated('[{"a":', bytes)],
  ['line breaks', repeated('\n', bytes)],
  ['line breaks that end no frame', repeated('\r\n: ', bytes)],
  ['carriage returns', repeated('\r', bytes)],
  ['lines of data that end no frame', repeated('data: "usage"\r', bytes)],
  ['lines with a usage', repeated('{"usage":null}\n', bytes)],
  ['blanks', Buffer.concat([Buffer.from('{"usage"'), repeated(' ', bytes)])],
  ['the beginning of a key', repeated('sk-aaaaaaaaaaaaaaaaaaa', bytes)],
  ['one letter', repeated('a', bytes)],
]

/** Sizes of the pieces in which bytes come: single ones, odd ones, those of TLS records and of whole reads. */
const cuts = [1, 7, 1_000, 16 * kib, turnBytes]

/** The longest turn while the bytes come in pieces, and while they end. */
function longestTurn(bytes: Buffer, cut: number, push: (piece: Buffer) => void, end: () => void): number {
  const piecesAtOnce = Math.max(1, Math.floor(turnBytes / (cut + chunkFrameBytes)))
  const bytesAtOnce = piecesAtOnce * cut
  let longest = 0
  for (let from = 0; from < bytes.length; from += bytesAtOnce) {
    const turn = bytes.subarray(from, from + bytesAtOnce)
    const ran = timed(() => {
      for (let at = 0; at < turn.length; at += cut) push(turn.subarray(at, at + cut))
    })
    longest = Math.max(longest, ran)
  }
  return Math.max(longest, timed(end))
}

/** Processor time of this thread, ms. */
function timed(run: () => void): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

function createSink(): ResponseSink {
  return { reserve: () => true, writeHead: () => undefined, write: () => true, end: () => undefined }
}

const key = `sk-${'a'.repeat(509)}`

interface Scan {
  push(piece: Buffer): void
  end(): void
}

const scans: Record<string, () => Scan> = {
  'usage filter of a stream': () => {
    const filter = new StreamUsageFilter('events')
    return { push: (piece) => void filter.push(piece), end: () => void filter.flush() }
  },
  'usage filter of lines': () => {
    const filter = new StreamUsageFilter('lines')
    return { push: (piece) => void filter.push(piece), end: () => void filter.flush() }
  },
  'usage at the end of a stream': () => {
    const response = new EventStreamResponse(
      createSink(),
      { status: 200, headers: [] },
      { framing: 'events', hidesUsage: false },
    )
    return { push: (piece) => void response.push(piece), end: () => void response.usage() }
  },
  'usage of a JSON response': () => {
    const response = new JsonResponse(createSink(), { status: 200, headers: [] }, () => [], true)
    return { push: (piece) => void response.push(piece), end: () => response.end() }
  },
  'tail of a response': () => {
    const tail = new Tail()
    return { push: (piece) => tail.push(piece), end: () => void findTokenUsage(tail.text()) }
  },
  'mask of a key': () => {
    const mask = SecretMask.of(key)!
    return { push: (piece) => void mask.push(piece), end: () => void mask.flush() }
  },
  'mask of a key in a frame': () => {
    const mask = FrameMask.of(key)!
    mask.push(Buffer.from([0x82, 127, 0, 0, 0, 0, 0xff, 0, 0, 0]))
    return { push: (piece) => void mask.push(piece), end: () => undefined }
  },
}

describe('row 49: bytes of an upstream, 4 MiB, cut at every kind of place', () => {
  const bytes = 4 * mib
  for (const [name, open] of Object.entries(scans)) {
    test.each(floods(bytes))(`${name}: %s`, (_flood, flood) => {
      for (const cut of cuts) {
        // Single bytes of less: the test would take longer than the scan.
        const part = cut < 1_000 ? flood.subarray(0, 256 * kib) : flood
        const scan = open()
        expect(
          longestTurn(
            part,
            cut,
            (piece) => scan.push(piece),
            () => scan.end(),
          ),
        ).toBeLessThan(longestTurnMs)
      }
    })
  }
})

test('row 65: frames of one byte, and control frames in between, 1 MiB', () => {
  for (const frames of [
    [0, 1, 0x61],
    [0, 1, 0x73],
    [0x89, 0, 0, 1, 0x61],
    [0, 0, 0, 1, 0x61],
  ]) {
    const flood = Buffer.concat(Array.from({ length: mib / frames.length }, () => Buffer.from(frames)))
    const run = () => {
      const mask = FrameMask.of(key)!
      mask.push(Buffer.concat([Buffer.from([0x01, 3]), Buffer.from(key.slice(0, 3))]))
      return longestTurn(
        flood,
        turnBytes,
        (piece) => void mask.push(piece),
        () => undefined,
      )
    }
    // The best of some runs: a compilation or a collection in between is not what the frames cost.
    const ran = Math.min(...Array.from({ length: 5 }, run))
    expect(ran).toBeLessThan(longestTurnMs)
  }
})

test.each(floods(256 * kib))('a JSON response that is held, 256 KiB of %s', (_flood, flood) => {
  expect(timed(() => usageOfResponse(flood))).toBeLessThan(longestTurnMs)
  expect(timed(() => findTokenUsage(flood.toString()))).toBeLessThan(longestTurnMs)
})

const jsonFloods: [string, Buffer][] = [
  ...floods(10 * mib),
  ['members', Buffer.concat([Buffer.from('{'), repeated('"model":1,', 10 * mib - 8), Buffer.from('"a":1}')])],
  ['one string', Buffer.concat([Buffer.from('{"model":"'), repeated('x', 10 * mib - 16), Buffer.from('"}')])],
  ['escapes', Buffer.concat([Buffer.from('{"model":"'), repeated('\\u0061', 10 * mib - 16), Buffer.from('"}')])],
  ['digits', Buffer.concat([Buffer.from('{"a":'), repeated('1', 10 * mib - 16), Buffer.from('}')])],
  ['a fraction', Buffer.concat([Buffer.from('{"a":0.'), repeated('1', 10 * mib - 16), Buffer.from('}')])],
  ['numbers', Buffer.concat([Buffer.from('{"a":['), repeated('1,', 10 * mib - 16), Buffer.from('1]}')])],
]

test.each(jsonFloods)('a request body of 10 MiB: %s', (_flood, flood) => {
  const walk = visitMembers(flood, () => undefined)
  const next = () => {
    let isOver: boolean | undefined
    expect(timed(() => (isOver = walk.next().done))).toBeLessThan(longestTurnMs)
    return isOver
  }
  while (next() === false);
})

const headerFloods = [
  'Bearer ',
  ' ',
  'a',
  'sk-',
  'st_',
  '1',
  '.',
  ',',
  ';',
  '/',
  '%2',
  '..',
  '\t',
  'Mon, ',
  'a,',
  'a:,',
  '1.1,',
  '1.1.1.1.',
  ':',
  '::1,',
  'aA1',
  'aA1 ',
  'basic ',
  '?#',
].map((text) => [text, text.repeat(Math.ceil((64 * kib) / text.length))] as const)

test.each(headerFloods)('64 KiB of %j in a header or in the path', (_text, flood) => {
  const ran = timed(() => {
    toLoggedHeaders({ authorization: flood, 'x-anything': flood, 'set-cookie': [flood], referer: flood }, false)
    retryAfterMs({ 'retry-after': flood, 'retry-after-ms': flood })
    parseTarget(`/api/proxy/v1/${flood}?${flood}`)
  })
  expect(ran).toBeLessThan(longestTurnMs)
})
