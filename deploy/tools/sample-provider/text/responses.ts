import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { events, json, type Answer } from '#tools/sample-provider/answer.ts'
import type { Faults } from '#tools/sample-provider/faults.ts'
import { sampleValue } from './json-sample.ts'
import { requireModel } from '#tools/sample-provider/models.ts'
import { responseEvents } from './response-stream.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'
import { countReasoning, countTokens, cutPassage, sampleCreated, sampleId, samplePieces, splitJson } from './text.ts'
import { responseUsage } from '#tools/sample-provider/usage.ts'

const Part = z.looseObject({ text: z.string().optional() })
const InputItem = z.looseObject({ content: z.union([z.string(), z.array(Part)]).nullish() })

const ResponseRequest = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(InputItem)]),
  instructions: z.string().nullish(),
  max_output_tokens: z.number().int().min(1).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  previous_response_id: z.string().nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  tools: z.array(z.looseObject({ type: z.string() })).nullish(),
  text: z
    .looseObject({
      format: z.looseObject({ type: z.string(), schema: z.record(z.string(), z.unknown()).optional() }).optional(),
    })
    .nullish(),
})
type ResponseRequest = z.infer<typeof ResponseRequest>

const inputTexts = ({ input }: ResponseRequest): string[] => {
  if (typeof input === 'string') return [input]
  return input.map(({ content }) =>
    typeof content === 'string' ? content : (content?.map((part) => part.text ?? '').join('\n') ?? ''),
  )
}

const piecesFor = ({ text }: ResponseRequest, prompt: string, chunks?: number): string[] => {
  const pieces = samplePieces(prompt, 0, chunks)
  if (text?.format?.type === 'json_object') return splitJson(JSON.stringify({ answer: pieces.join('').trim() }))
  if (text?.format?.type === 'json_schema') return splitJson(JSON.stringify(sampleValue(text.format.schema ?? {})))
  return pieces
}

/** The response as it stands at its start: without output and usage. */
const openResponse = (request: ResponseRequest, seed: string) => ({
  id: sampleId('resp_', seed),
  object: 'response',
  created_at: sampleCreated,
  status: 'in_progress',
  background: false,
  error: null,
  incomplete_details: null,
  instructions: request.instructions ?? null,
  max_output_tokens: request.max_output_tokens ?? null,
  model: request.model,
  output: [],
  parallel_tool_calls: true,
  previous_response_id: request.previous_response_id ?? null,
  reasoning: { effort: null, summary: null },
  service_tier: 'default',
  store: request.store ?? true,
  temperature: request.temperature ?? 1,
  text: { format: { type: 'text' }, ...request.text },
  tool_choice: 'auto',
  tools: request.tools ?? [],
  top_p: request.top_p ?? 1,
  truncation: 'disabled',
  usage: null,
  user: null,
  metadata: request.metadata ?? {},
})

const answerResponse = (input: unknown, faults: Faults): Answer => {
  const request = parseBody(ResponseRequest, input)
  const { model } = request
  requireModel(model)
  const texts = inputTexts(request)
  const transcript = [request.instructions ?? '', ...texts].join('\n').trim()
  const maxTokens = request.max_output_tokens ?? Infinity
  const reasoning = countReasoning(model, maxTokens)
  const passage = cutPassage(piecesFor(request, texts.at(-1) ?? '', faults.chunks), maxTokens - reasoning)

  const opened = openResponse(request, model + transcript)
  const status = passage.finishReason === 'stop' ? 'completed' : 'incomplete'
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
    ...(status === 'completed'
      ? { completed_at: sampleCreated }
      : { incomplete_details: { reason: 'max_output_tokens' } }),
    output: [message],
    usage: responseUsage(countTokens(transcript), passage.tokens + reasoning, reasoning),
  }
  return request.stream ? events(responseEvents(opened, message, passage, closed)) : json(closed)
}

export const responseRoutes = (app: FastifyInstance): void => {
  route(app, 'POST', '/v1/responses', ({ body, faults }) => answerResponse(body, faults))
}
