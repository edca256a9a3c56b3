import { expect, test } from 'vitest'
import { request, response, streamed } from './read-body.fixture.ts'

const ask = (input: unknown) => request('/v1beta/interactions', { system_instruction: 'Be brief.', input })
const call = { type: 'function_call', id: '1', name: 'look', arguments: { at: 'cat' } }
const thought = { type: 'thought', summary: [{ type: 'text', text: 'Hm.' }] }
const said = [
  'model [completed]: reasoning: Hm.',
  'model [completed]: A cat.',
  'model [completed]: call look({"at":"cat"})',
]

test.each([
  ['a text', 'What is this?', 'user: What is this?'],
  [
    'parts',
    [
      { type: 'text', text: 'What is this?' },
      { type: 'image', mime_type: 'image/png', data: 'A'.repeat(4_000) },
      { type: 'document', uri: 'https://example.com/a.pdf' },
    ],
    'user: What is this? | attachment: Image: image/png, 3.0 KB | attachment: Document: https://example.com/a.pdf',
  ],
  [
    'one part',
    { type: 'audio', mime_type: 'audio/wav', data: 'A'.repeat(4_000) },
    'user: attachment: Audio: audio/wav, 3.0 KB',
  ],
  ['a turn', [{ role: 'user', content: 'What is this?' }], 'user: What is this?'],
])('a request with %s', (_what, input, line) => expect(ask(input)).toEqual(['system: Be brief.', line]))

test('a request with steps', () => {
  const steps = [
    { type: 'user_input', content: [{ type: 'text', text: 'What is this?' }] },
    thought,
    call,
    { type: 'function_result', call_id: '1', result: { is: 'a cat' } },
    { type: 'function_result', call_id: '2', result: [{ type: 'text', text: 'A cat.' }] },
    { type: 'novelty' },
  ]
  expect(ask(steps)?.map((line) => line.replace(/\s+/g, ' '))).toEqual([
    'system: Be brief.',
    'user: What is this?',
    'model: reasoning: Hm.',
    'model: call look({"at":"cat"})',
    'tool: result(other: { "is": "a cat" })',
    'tool: result(A cat.)',
    'model: other: { "type": "novelty" }',
  ])
})

const start = (index: number, step: object) => ({ event_type: 'step.start', index, step })
const delta = (index: number, part: object) => ({ event_type: 'step.delta', index, delta: part })

test('a response and a stream', () => {
  const output = { type: 'model_output', content: [{ type: 'text', text: 'A cat.' }] }
  expect(response({ status: 'completed', steps: [thought, output, call] })).toEqual(said)
  const pieces = [
    { event_type: 'interaction.created', interaction: { status: 'in_progress' } },
    start(0, { type: 'thought' }),
    delta(0, { type: 'thought_summary', content: { type: 'text', text: 'Hm.' } }),
    start(1, { type: 'model_output' }),
    delta(1, { type: 'text', text: 'A ' }),
    delta(1, { type: 'text', text: 'cat.' }),
    start(2, { ...call, arguments: {} }),
    delta(2, { type: 'arguments_delta', arguments: '{"at":' }),
    delta(2, { type: 'arguments_delta', arguments: '"cat"}' }),
  ]
  expect(streamed(...pieces, { event_type: 'interaction.completed', interaction: { status: 'completed' } })).toEqual(
    said,
  )
  expect(streamed(...pieces.slice(0, 5))).toEqual(['model [in_progress]: reasoning: Hm.', 'model [in_progress]: A '])
})
