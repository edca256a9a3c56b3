import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Faults } from '#tools/sample-provider/faults.ts'
import { requireModel } from '#tools/sample-provider/models.ts'
import { events, json, type SampleResponse } from '#tools/sample-provider/response.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'
import { piecesIn, textOf } from './chat.ts'
import {
  countCached,
  countReasoning,
  countTokens,
  cutPassage,
  type Passage,
  sampleCreated,
  sampleId,
  samplePieces,
} from './text.ts'

const Part = z.looseObject({ text: z.string().optional() })
const InputItem = z.looseObject({ content: z.union([z.string(), z.array(Part)]).nullish() })

const ResponseRequest = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(InputItem)]),
  instructions: z.string().nullish(),
  max_output_tokens: z.number().int().min(1).nullish(),
  stream: z.boolean().nullish(),
  text: z
    .looseObject({ format: z.looseObject({ type: z.string(), schema: z.unknown().optional() }).optional() })
    .nullish(),
})

const usageOf = (input: number, output: number, reasoning: number) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: countCached(input), cache_write_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
})

interface Message {
  id: string
  content: { text: string }[]
}

/** The events of one response with one message, in the order in which OpenAI sends them. */
function* responseEvents(opened: object, message: Message, passage: Passage, closed: { status: string }) {
  const { pieces, text } = passage
  let sequence = 0
  const event = (type: string, fields: object): string => {
    const data = JSON.stringify({ type, sequence_number: sequence, ...fields })
    sequence += 1
    return `event: ${type}\ndata: ${data}\n\n`
  }
  const place = { item_id: message.id, output_index: 0, content_index: 0 }
  const [part] = message.content
  const item = { ...message, status: 'in_progress', content: [] }
  yield event('response.created', { response: opened })
  yield event('response.in_progress', { response: opened })
  yield event('response.output_item.added', { output_index: 0, item })
  yield event('response.content_part.added', { ...place, part: { ...part, text: '' } })
  for (const delta of pieces) yield event('response.output_text.delta', { ...place, delta, logprobs: [] })
  yield event('response.output_text.done', { ...place, text, logprobs: [] })
  yield event('response.content_part.done', { ...place, part })
  yield event('response.output_item.done', { output_index: 0, item: message })
  yield event(`response.${closed.status}`, { response: closed })
}

function createResponse(input: unknown, faults: Faults): SampleResponse {
  const request = parseBody(ResponseRequest, input)
  const { model, instructions = null, max_output_tokens: limit = null, text: format } = request
  requireModel(model)
  const texts = typeof request.input === 'string' ? [request.input] : request.input.map((each) => textOf(each.content))
  const transcript = [instructions ?? '', ...texts].join('\n').trim()
  const maxTokens = limit ?? Infinity
  const reasoning = countReasoning(model, maxTokens)
  const pieces = piecesIn(format?.format, samplePieces(texts.at(-1) ?? '', 0, faults.chunks))
  const passage = cutPassage(pieces, maxTokens - reasoning)
  const opened = {
    id: sampleId('resp_', model + transcript),
    object: 'response',
    created_at: sampleCreated,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    instructions,
    max_output_tokens: limit,
    model,
    output: [],
    parallel_tool_calls: true,
    text: { format: { type: 'text' }, ...format },
    tool_choice: 'auto',
    tools: [],
    usage: null,
    metadata: {},
  }
  const isComplete = passage.finishReason === 'stop'
  const status = isComplete ? 'completed' : 'incomplete'
  const message = {
    id: sampleId('msg_', model + transcript),
    type: 'message',
    status,
    role: 'assistant',
    content: [{ type: 'output_text', text: passage.text, annotations: [], logprobs: [] }],
  }
  const closed = {
    ...opened,
    status,
    incomplete_details: isComplete ? null : { reason: 'max_output_tokens' },
    output: [message],
    usage: usageOf(countTokens(transcript), passage.tokens + reasoning, reasoning),
  }
  return request.stream ? events(responseEvents(opened, message, passage, closed)) : json(closed)
}

export function responseRoutes(app: FastifyInstance): void {
  route(app, 'POST', '/v1/responses', ({ body, faults }) => createResponse(body, faults))
}
