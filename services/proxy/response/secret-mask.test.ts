import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SecretMask } from './secret-mask.ts'

const secret = 'sk-aasaask-aasak-secret'

function pass(text: string, cuts: number[]): string {
  const mask = SecretMask.of(secret)!
  const bytes = Buffer.from(text)
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((one, other) => one - other)
  let from = 0
  const pieces = ends.map((end) => mask.push(bytes.subarray(from, (from = end))))
  return Buffer.concat([...pieces, mask.flush() ?? Buffer.alloc(0)]).toString()
}

test('a key is blotted out wherever the stream is cut, and nothing else changes', () => {
  const part = fc.oneof(fc.constant(secret), fc.constantFrom('sk-', 'sk-aasaas', 's', 'ü', '\n\n'), fc.string())
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat()), (parts, cuts) => {
      const text = parts.join('')
      expect(pass(text, cuts)).toBe(text.toWellFormed().replaceAll(secret, '*'.repeat(secret.length)))
    }),
  )
})

test('nothing is held back that can not be the key', () => {
  const mask = SecretMask.of(secret)!
  expect(mask.push(Buffer.from('data: {"a":"skandal"}\n\n')).toString()).toBe('data: {"a":"skandal"}\n\n')
  expect(mask.flush()).toBeUndefined()
})

test('a placeholder is no secret', () => {
  expect(SecretMask.of('ollama')).toBeUndefined()
})
