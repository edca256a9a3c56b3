import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lines, request, response, sse, streamed } from './read-body.fixture.ts'
import { readBody } from './read-body.ts'

const chunk = (delta: object, finish_reason: string | null = null, index = 0) => ({
  choices: [{ index, delta, finish_reason }],
})
const itemAdded = (index: number, item: object) => ({ type: 'response.output_item.added', output_index: index, item })
const itemDelta = (type: string, index: number, text: string) => ({
  type: `response.${type}.delta`,
  output_index: index,
  delta: text,
})
const blockStart = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block })
const blockDelta = (index: number, change: object) => ({ type: 'content_block_delta', index, delta: change })

const png = `data:image/png;base64,${'A'.repeat(4_000)}`

describe('Chat Completions', () => {
  test('a request with a tool call, its result, an image and a file', () => {
    const messages = [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: png } },
          { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
          { type: 'input_audio', input_audio: { data: 'A'.repeat(400), format: 'wav' } },
          { type: 'file', file: { filename: 'report.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":"cat"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'A cat.' },
      { role: 'user', content: [{ type: 'novelty', level: 3 }] },
    ]
    expect(request('/v1/chat/completions', { model: 'gpt-4o', messages })).toEqual([
      'developer: Be brief.',
      'user: What is this? | attachment: Image: image/png, 3.0 KB | attachment: Image: https://example.com/cat.png | ' +
        'attachment: Audio: wav, 300 B | attachment: File: report.pdf',
      'assistant: call look({"at":"cat"})',
      'tool: result(A cat.)',
      `user: other: ${JSON.stringify({ type: 'novelty', level: 3 }, null, 2)}`,
    ])
  })

  test('a response with reasoning, a refusal and several choices', () => {
    const choices = [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hi', refusal: null, reasoning_content: 'Greet.' },
        finish_reason: 'stop',
      },
      { index: 1, message: { role: 'assistant', content: null, refusal: 'No.' }, finish_reason: 'content_filter' },
    ]
    expect(response({ object: 'chat.completion', choices })).toEqual([
      'assistant [choice 1, stop]: reasoning: Greet. | Hi',
      'assistant [choice 2, content_filter]: refusal: No.',
    ])
  })

  test('a stream with tool calls', () => {
    const call = (index: number, part: object) => chunk({ tool_calls: [{ index, function: part }] })
    expect(
      streamed(
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'Hel' }),
        chunk({ content: 'lo' }),
        call(0, { name: 'find', arguments: '' }),
        call(0, { arguments: '{"q":' }),
        call(1, { name: 'list', arguments: '{}' }),
        call(0, { arguments: '1}' }),
        chunk({}, 'tool_calls'),
        { choices: [], usage: { prompt_tokens: 1 } },
      ),
    ).toEqual(['assistant [tool_calls]: Hello | call find({"q":1}) | call list({})'])
    expect(streamed(chunk({ content: 'a' }), chunk({ content: 'b' }, null, 1), chunk({ content: 'c' }))).toEqual([
      'assistant [choice 1]: ac',
      'assistant [choice 2]: b',
    ])
    expect(streamed(chunk({ refusal: 'I ' }), chunk({ refusal: 'won’t.' }))).toEqual(['assistant: refusal: I won’t.'])
  })
})

describe('Completions', () => {
  test('a prompt, a response and a stream', () => {
    expect(request('/v1/completions', { prompt: 'Once' })).toEqual(['prompt: Once'])
    expect(request('/v1/completions', { prompt: ['a', 'b'] })).toEqual(['prompt: a', 'prompt: b'])
    expect(response({ choices: [{ text: ' upon', index: 0, finish_reason: 'length' }] })).toEqual([
      'assistant [length]:  upon',
    ])
    expect(streamed({ choices: [{ text: 'one ' }] }, { choices: [{ text: 'two' }] })).toEqual(['assistant: one two'])
  })
})

describe('the Responses API', () => {
  const output = [
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Look it up.' }] },
    { type: 'reasoning', id: 'rs_2', summary: [] },
    { type: 'function_call', name: 'find', arguments: '{"q":1}', call_id: 'c' },
    {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'output_text', text: 'Done.', annotations: [] },
        { type: 'refusal', refusal: 'Not that.' },
      ],
    },
  ]
  const said = [
    'assistant [completed]: reasoning: Look it up.',
    'assistant [completed]: call find({"q":1})',
    'assistant [completed]: Done. | refusal: Not that.',
  ]

  test('a request with items and instructions', () => {
    const input = [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Hi' },
          { type: 'input_image', image_url: png, detail: 'auto' },
          { type: 'input_file', file_id: 'file-1' },
        ],
      },
      { type: 'function_call', name: 'find', arguments: '{}', call_id: 'c' },
      { type: 'function_call_output', call_id: 'c', output: 'found' },
    ]
    expect(request('/v1/responses', { instructions: 'Be kind.', input })).toEqual([
      'instructions: Be kind.',
      'user: Hi | attachment: Image: image/png, 3.0 KB | attachment: File: file-1',
      'assistant: call find({})',
      'tool: result(found)',
    ])
    expect(request('/v1/responses', { input: 'Hi' })).toEqual(['user: Hi'])
  })

  test('a response', () => expect(response({ object: 'response', status: 'completed', output })).toEqual(said))

  test('a stream, of which the last event has all', () => {
    const last = { type: 'response.completed', response: { status: 'completed', output } }
    expect(streamed({ type: 'response.created', response: { output: [] } }, last)).toEqual(said)
  })

  test('a stream that broke', () => {
    expect(
      streamed(
        itemAdded(0, { type: 'reasoning', summary: [] }),
        itemDelta('reasoning_summary_text', 0, 'Look '),
        { type: 'response.output_item.done', output_index: 0, item: output[0] },
        itemAdded(1, { type: 'function_call', name: 'find', arguments: '' }),
        itemDelta('function_call_arguments', 1, '{"q":'),
        itemDelta('function_call_arguments', 1, '1}'),
        itemAdded(2, { type: 'message', role: 'assistant', content: [] }),
        itemDelta('output_text', 2, 'Do'),
        itemDelta('output_text', 2, 'ne'),
      ),
    ).toEqual(['assistant: reasoning: Look it up.', 'assistant: call find({"q":1})', 'assistant: Done'])
  })
})

describe("Anthropic's Messages", () => {
  test('a request with tools, images and a system prompt', () => {
    const source = { type: 'base64', media_type: 'image/jpeg', data: 'A'.repeat(4_000) }
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', source },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'x' },
          { type: 'tool_use', id: 't', name: 'zoom', input: { by: 2 } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't',
            content: [
              { type: 'text', text: 'Zoomed.' },
              { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
            ],
          },
        ],
      },
    ]
    expect(request('/v1/messages', { system: [{ type: 'text', text: 'Be kind.' }], messages })).toEqual([
      'system: Be kind.',
      'user: Look. | attachment: Image: image/jpeg, 3.0 KB',
      'assistant: reasoning: Hm. | call zoom({"by":2})',
      'user: result(Zoomed. attachment: Image: https://example.com/a.png)',
    ])
  })

  test('a response and a stream', () => {
    const content = [
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 't', name: 'zoom', input: { by: 2 } },
    ]
    const expected = ['assistant [tool_use]: Hello | call zoom({"by":2})']
    expect(response({ type: 'message', role: 'assistant', content, stop_reason: 'tool_use' })).toEqual(expected)
    const events = [
      { type: 'message_start', message: { role: 'assistant', content: [] } },
      blockStart(0, { type: 'text', text: '' }),
      { type: 'ping' },
      blockDelta(0, { type: 'text_delta', text: 'Hel' }),
      blockDelta(0, { type: 'text_delta', text: 'lo' }),
      { type: 'content_block_stop', index: 0 },
      blockStart(1, { type: 'tool_use', id: 't', name: 'zoom', input: {} }),
      blockDelta(1, { type: 'input_json_delta', partial_json: '{"by"' }),
      blockDelta(1, { type: 'input_json_delta', partial_json: ':2}' }),
    ]
    expect(streamed(...events, { type: 'message_delta', delta: { stop_reason: 'tool_use' } })).toEqual(expected)
    expect(streamed(...events.slice(0, -1))).toEqual(['assistant: Hello | call zoom({})'])
  })
})

describe('cut bodies', () => {
  test('a request whose last message is cut', () => {
    const body = JSON.stringify({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'A long story' },
      ],
    })
    expect(lines('/v1/chat/completions', 'request', body.slice(0, -9))).toEqual(['system: Be brief.', 'user: A long '])
  })

  test('a stream whose last event is cut', () => {
    const body = sse({ choices: [{ delta: { content: 'par' } }] }, { choices: [{ delta: { content: 'ts' } }] })
    expect(lines('', 'response', body.slice(0, -20))).toEqual(['assistant: par'])
    expect(readBody('', 'response', body)).toMatchObject({ events: 2 })
  })
})

test.each<[string, 'request' | 'response', unknown]>([
  ['/v1/embeddings', 'request', { input: 'text' }],
  ['/v1/images/generations', 'request', { prompt: 'a cat' }],
  ['/v1/chat/completions', 'request', { messages: 'none' }],
  ['/v1/chat/completions', 'response', { error: { message: 'No.' } }],
  ['/v1/embeddings', 'response', { data: [] }],
  ['/v1/files', 'request', null],
])('%s: a %s such as %j is no conversation', (endpoint, side, body) => {
  expect(lines(endpoint, side, JSON.stringify(body))).toBeUndefined()
})

test('any text can be read, however deep', () => {
  const deep = `{"messages":${'[{"role":"user","content":[{"type":"tool_result","content":'.repeat(4_000)}`
  expect(() => readBody('/v1/chat/completions', 'request', deep)).not.toThrow()
  fc.assert(
    fc.property(fc.string(), fc.json(), (text, json) => {
      for (const body of [text, json, `data: ${text}\n\n`, `data: ${json}\n\n`]) {
        readBody('/v1/responses', 'request', body)
        readBody('/v1/responses', 'response', body)
      }
    }),
  )
})

test.each([
  ['data: {}\n\n', 1],
  ['event: x\ndata: {}\n\n', 1],
  ['{"data": 1}', undefined],
])('%j has %s events', (body, events) => expect(readBody('', 'response', body).events).toBe(events))
