import { createServer, type Server, type ServerResponse } from 'node:http'

const usage = { prompt_tokens: 120, completion_tokens: 40, total_tokens: 160 }
const content = 'Words of an answer. '.repeat(20)
const completion = JSON.stringify({ object: 'chat.completion', choices: [{ message: { content } }], usage })
const chunks = [
  ...Array.from({ length: 4 }, () => ({ choices: [{ delta: { content: 'Words' } }], usage: null })),
  { choices: [], usage },
]
const frames = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`)

/** Answers every request with one chat completion, as JSON or streamed. */
export const createStandInProvider = (): Server =>
  createServer((request, response) => {
    const body: Buffer[] = []
    request.on('data', (chunk: Buffer) => body.push(chunk))
    request.on('end', () => answer(response, Buffer.concat(body)))
  })

function answer(response: ServerResponse, body: Buffer): void {
  if (!body.includes('"stream":true')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(completion)
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const frame of frames) response.write(frame)
  response.end()
}
