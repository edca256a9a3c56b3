import { expect, it } from 'vitest'
import { createStreamText } from './stream-text.ts'

it('joins the text of every kind of stream and skips other events', () => {
  const stream = createStreamText()
  const events = [
    '{"choices":[{"index":0,"delta":{"role":"assistant","content":"Good "}}]}',
    '{"choices":[{"text":"day"}]}',
    '{"type":"response.output_text.delta","delta":"!"}',
    '{"choices":[]}',
    '[DONE]',
  ]
  const wire = events.map((data) => `data: ${data}\n\n`).join('')
  for (const character of wire) stream.add(character)
  expect(stream.read()).toBe('Good day!')
})
