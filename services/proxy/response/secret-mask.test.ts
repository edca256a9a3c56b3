import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitAt } from '../test/split-at.fixture.ts'
import { SecretMask } from './secret-mask.ts'

const secret = 'sk-aasaask-aasak-secret'

function mask(text: string, cuts: number[]): string {
  const secretMask = SecretMask.of(secret)!
  const pieces = splitAt(Buffer.from(text), cuts).map((chunk) => secretMask.push(chunk))
  return Buffer.concat([...pieces, secretMask.flush() ?? Buffer.alloc(0)]).toString()
}

test('the key is masked wherever the stream is cut, and nothing else changes', () => {
  const part = fc.oneof(fc.constant(secret), fc.constantFrom('sk-', 'sk-aasaas', 's', 'ü', '\n\n'), fc.string())
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat()), (parts, cuts) => {
      const text = parts.join('')
      expect(mask(text, cuts)).toBe(text.toWellFormed().replaceAll(secret, '*'.repeat(secret.length)))
    }),
  )
})

test('bytes that can not be part of the key are not buffered', () => {
  const secretMask = SecretMask.of(secret)!
  expect(secretMask.push(Buffer.from('data: {"a":"skandal"}\n\n')).toString()).toBe('data: {"a":"skandal"}\n\n')
  expect(secretMask.flush()).toBeUndefined()
})

test('a placeholder is not masked', () => {
  expect(SecretMask.of('ollama')).toBeUndefined()
})
