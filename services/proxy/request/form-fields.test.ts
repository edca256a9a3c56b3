import { expect, test } from 'vitest'
import { readFormChoices, readFormModel } from './form-fields.ts'

const type = 'multipart/form-data; boundary=xyz'
const part = (disposition: string, value: string) => `--xyz\r\nContent-Disposition: ${disposition}\r\n\r\n${value}\r\n`
const named = (name: string, value: string) => part(`form-data; name="${name}"`, value)
const file =
  '--xyz\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n\0\r\n'
const read = (text: string, contentType = type) => readFormModel(Buffer.from(text), contentType)

test.each([
  ['a file first', `${file}${named('model', 'whisper-1')}--xyz--\r\n`],
  ['no quotes and no last line break', `${part('form-data; name=model', 'whisper-1')}${file}--xyz--`],
  [
    'parts that say they are not encoded',
    `${part('form-data; name=model\r\nContent-Transfer-Encoding: 8bit', 'whisper-1')}--xyz--`,
  ],
  ['the same model twice', `${named('model', 'whisper-1')}${named('model', 'whisper-1')}--xyz--\r\n`],
])('the model of a form is read: %s', (_, text) => {
  expect(read(text)).toBe('whisper-1')
})

test('two models in a form are rejected', () => {
  expect(() => read(`${named('model', 'a')}${named('model', 'b')}--xyz--\r\n`)).toThrow('ambiguous_model')
})

test.each([
  ['no model', `${file}--xyz--\r\n`],
  ['another spelling beside it', `${named('model', 'a')}${named('Model[]', 'b')}--xyz--\r\n`],
  ['a preamble as long as a delimiter', `12345${named('model', 'a').slice(5)}--xyz--\r\n`],
  ['an epilogue', `${named('model', 'a')}--xyz--\r\n${named('model', 'b')}`],
  ['no end', named('model', 'a')],
  ['a delimiter inside a line', `${named('model', 'a')}${named('x', `y\n${named('z', 'v')}`)}--xyz--\r\n`],
  ['a longer delimiter', `${named('model', 'a')}${named('x', 'y').replace('xyz\r', 'xyz-')}--xyz--\r\n`],
  ['a longer delimiter at the end', `${named('model', 'a')}--xyzab--`],
  [
    'a part of two names',
    `${named('model', 'a')}${part('form-data; name="x"\r\nContent-Disposition: form-data; name="y"', 'b')}--xyz--\r\n`,
  ],
  [
    'an escaped quote',
    `${named('model', 'a')}${part(String.raw`form-data; filename="\"; name="model"`, 'b')}--xyz--\r\n`,
  ],
  ['two names', `${named('model', 'a')}${part('form-data; name="x"; name="model"', 'b')}--xyz--\r\n`],
  ['another encoding', `--xyz\r\nContent-Transfer-Encoding: base64\r\n${named('model', 'a').slice(7)}--xyz--\r\n`],
  ['a long model', `${named('model', 'm'.repeat(201))}--xyz--\r\n`],
])('a form is not read with %s', (_, text) => {
  expect(read(text)).toBeNull()
})

test('a type that names two boundaries is not read', () => {
  expect(read(`${named('model', 'a')}--xyz--\r\n`, `${type}; boundary=abc`)).toBeNull()
})

test('every n of a form is read', () => {
  const form = Buffer.from(`${named('model', 'a')}${named('n', '2')}${file}${named('n', '9')}--xyz--\r\n`)
  expect(readFormChoices(form, type)).toEqual(['2', '9'])
})
