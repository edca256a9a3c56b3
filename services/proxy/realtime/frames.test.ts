import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitAt } from '../test/split-at.fixture.ts'
import { FrameMask } from './frames.ts'

const secret = 'sk-aasaask-aasak-secret'
const mask = () => FrameMask.of(secret)!

/** A server frame; 0x80 in the first byte marks the last frame of a message. */
function frame(first: number, payload: string | Buffer): Buffer {
  const bytes = Buffer.from(payload)
  if (bytes.length < 126) return Buffer.concat([Buffer.from([first, bytes.length]), bytes])
  const length = Buffer.alloc(bytes.length < 65_536 ? 3 : 9)
  length[0] = bytes.length < 65_536 ? 126 : 127
  if (length.length === 3) length.writeUInt16BE(bytes.length, 1)
  else length.writeBigUInt64BE(BigInt(bytes.length), 1)
  return Buffer.concat([Buffer.from([first]), length, bytes])
}

function pass(bytes: Buffer, cuts: number[]): Buffer {
  const masking = mask()
  return Buffer.concat(splitAt(bytes, cuts).map((chunk) => masking.push(chunk)))
}

test('row 65: a key is masked however frames and chunks are split, and nothing else changes', () => {
  const part = fc.oneof(fc.constant(secret), fc.constantFrom('sk-', 'sk-aasaas', 's', 'ü'), fc.string())
  const message = fc.record({ parts: fc.array(part), cuts: fc.array(fc.nat(), { maxLength: 6 }), pings: fc.boolean() })
  fc.assert(
    fc.property(fc.array(message, { minLength: 1 }), fc.array(fc.nat()), (messages, cuts) => {
      const framesOf = (isMasked: boolean) =>
        Buffer.concat(
          messages.flatMap(({ parts, cuts: within, pings }) => {
            const bytes = Buffer.from(parts.join(''))
            const whole = isMasked
              ? Buffer.from(bytes.toString('latin1').replaceAll(secret, '*'.repeat(secret.length)), 'latin1')
              : bytes
            const ping = `ping ${isMasked ? '*'.repeat(secret.length) : secret}`
            return splitAt(whole, within).flatMap((piece, index, all) => {
              const first = (index === 0 ? 0x1 : 0x0) | (index === all.length - 1 ? 0x80 : 0)
              return [frame(first, piece), ...(pings ? [frame(0x89, ping)] : [])]
            })
          }),
        )
      expect(pass(framesOf(false), cuts).equals(framesOf(true))).toBe(true)
    }),
  )
})

test('a long message is passed on as it comes, and the end of a message is not buffered', () => {
  const masking = mask()
  const whole = frame(0x82, Buffer.alloc(70_000, 's'))
  expect(masking.push(whole.subarray(0, 40_000)).length).toBeGreaterThan(39_900)
  masking.push(whole.subarray(40_000))
  const next = frame(0x81, 'it ends with sk-aasaas')
  expect(masking.push(next).equals(next)).toBe(true)
})

test('a key is not matched across two messages', () => {
  const halves = Buffer.concat([frame(0x81, secret.slice(0, 9)), frame(0x81, secret.slice(9))])
  expect(mask().push(halves).equals(halves)).toBe(true)
})

test.each<[string, Buffer]>([
  ['is compressed', frame(0xc1, 'x')],
  ['is masked', Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0])],
  ['has an unknown opcode', frame(0x83, 'x')],
  ['is a fragmented control frame', frame(0x09, 'x')],
  ['is a control frame that is too long', frame(0x89, 'x'.repeat(126))],
])('a frame that %s is an error', (_what, bytes) => {
  expect(() => mask().push(bytes)).toThrow()
})

test('empty fragments of a message are not collected without limit', () => {
  const masking = mask()
  masking.push(frame(0x01, 'sk-'))
  const flood = Buffer.alloc(128 * 1_024)
  expect(() => masking.push(flood)).toThrow('too much stands between')
})
