import { monotonicMs } from './clock.ts'

const usage = { prompt_tokens: 21, completion_tokens: 97, total_tokens: 118 }
const bodyBytes = 600

const completion = (content: string) =>
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1_764_000_000,
    model: 'gpt-4o-mini',
    choices: [{ index: 0, message: { role: 'assistant', content }, logprobs: null, finish_reason: 'stop' }],
    usage,
  })
const body = completion('a'.repeat(bodyBytes - completion('').length))

const commonHead = ['server: bench', 'x-request-id: req_bench', 'openai-processing-ms: 1', 'openai-version: 2020-10-01']

export const responseText = [
  'HTTP/1.1 200 OK',
  'content-type: application/json',
  `content-length: ${body.length}`,
  ...commonHead,
  '',
  body,
].join('\r\n')

export const streamHead = [
  'HTTP/1.1 200 OK',
  'content-type: text/event-stream; charset=utf-8',
  'transfer-encoding: chunked',
  // nginx buffers a response unless the upstream forbids it.
  'x-accel-buffering: no',
  ...commonHead,
  '',
  '',
].join('\r\n')

/** One event of a stream. Its content is the time of sending, so that the reader can compute the delay. */
export const frame = (): string => event(JSON.stringify(chunk([{ delta: { content: monotonicMs().toFixed(3) } }])))

/** The end of a stream, with the usage event if requested. */
export const doneFrame = (withUsage: boolean): string =>
  `${withUsage ? event(JSON.stringify({ ...chunk([]), usage })) : ''}${event('[DONE]')}0\r\n\r\n`

const chunk = (choices: { delta: { content: string } }[]) => ({
  id: 'chatcmpl-bench',
  object: 'chat.completion.chunk',
  created: 1_764_000_000,
  model: 'gpt-4o-mini',
  choices: choices.map((choice) => ({ index: 0, ...choice, finish_reason: null })),
})

/** An event as one chunk of the transfer encoding. */
function event(data: string): string {
  const text = `data: ${data}\n\n`
  return `${text.length.toString(16)}\r\n${text}\r\n`
}
