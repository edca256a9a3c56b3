import { expect, test } from 'vitest'
import { request, response, streamed } from './read-body.fixture.ts'

const candidate = (parts: object[], finishReason?: string) => ({
  candidates: [{ content: { parts }, finishReason }],
})
const call = { functionCall: { name: 'look', args: { at: 'cat' } } }

test('a request with a tool call, its result and files', () => {
  const systemInstruction = { parts: [{ text: 'Be brief.' }] }
  const image = { inlineData: { mimeType: 'image/png', data: 'A'.repeat(4_000) } }
  const contents = [
    { parts: [{ text: 'What is this?' }, image, { fileData: { fileUri: 'https://example.com/a.pdf' } }] },
    { role: 'model', parts: [{ text: 'Hm.', thought: true }, call] },
    { role: 'user', parts: [{ functionResponse: { name: 'look', response: { is: 'a cat' } } }, { novelty: 1 }] },
  ]
  const read = request('/v1beta/models/gemini:generateContent', { systemInstruction, contents })
  expect(read?.map((line) => line.replace(/\s+/g, ' '))).toEqual([
    'system: Be brief.',
    'user: What is this? | attachment: File: image/png, 3.0 KB | attachment: File: https://example.com/a.pdf',
    'model: reasoning: Hm. | call look({"at":"cat"})',
    'user: result(other: { "is": "a cat" }) | other: { "novelty": 1 }',
  ])
})

test('a response and a stream', () => {
  const said = ['model [STOP]: reasoning: Hm. | A cat. | call look({"at":"cat"})']
  const thought = { text: 'Hm.', thought: true }
  expect(response(candidate([thought, { text: 'A cat.' }, call], 'STOP'))).toEqual(said)
  const pieces = [candidate([thought]), candidate([{ text: 'A ' }]), candidate([{ text: 'cat.' }, call])]
  expect(streamed(...pieces, candidate([], 'STOP'))).toEqual(said)
})
