import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ProviderError } from '#tools/sample-provider/errors.ts'
import type { Faults } from '#tools/sample-provider/faults.ts'
import { requireModel } from '#tools/sample-provider/models.ts'
import { events, json } from '#tools/sample-provider/response.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'
import { sampleValue } from './json-sample.ts'
import {
  completionUsage,
  countReasoning,
  countTokens,
  cutPassage,
  type Passage,
  sampleCreated,
  sampleId,
  samplePieces,
  splitJson,
} from './text.ts'

const Part = z.looseObject({ text: z.string().optional() })
const Message = z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(Part)]).nullish() })
const Tool = z.looseObject({ name: z.string(), parameters: z.unknown().optional() })
const limit = z.number().int().min(1).nullish()

/** The fields that the sample provider reads. */
const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  n: z.number().int().min(1).max(128).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: limit,
  max_completion_tokens: limit,
  tools: z.array(z.looseObject({ function: Tool.optional() })).nullish(),
  tool_choice: z
    .union([z.string(), z.looseObject({ function: z.looseObject({ name: z.string() }).optional() })])
    .nullish(),
  response_format: z
    .looseObject({ type: z.string(), json_schema: z.looseObject({ schema: z.unknown().optional() }).optional() })
    .nullish(),
})
type ChatRequest = z.infer<typeof ChatRequest>

export const textOf = (content: z.infer<typeof Message>['content']): string =>
  typeof content === 'string' ? content : (content?.map(({ text }) => text ?? '').join('\n') ?? '')

interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

interface Choice extends Pick<Passage, 'text' | 'pieces' | 'tokens'> {
  toolCalls: ToolCall[]
  finishReason: Passage['finishReason'] | 'tool_calls'
}

/** Calls of the tools that the last message names or the request requires; the arguments match their schemas. */
function sampleToolCalls({ messages, tools, tool_choice: choice }: ChatRequest, seed: string): ToolCall[] {
  const last = messages.at(-1)
  // After a tool's result, responds with text; otherwise a client that runs tools in a loop would never end.
  if (!tools || choice === 'none' || last?.role !== 'user') return []
  const functions = tools.flatMap((tool) => tool.function ?? [])
  const name = typeof choice === 'object' ? choice?.function?.name : undefined
  const named = functions.filter((tool) => (name ? tool.name === name : textOf(last.content).includes(tool.name)))
  if (name && named.length === 0)
    throw new ProviderError(400, `Invalid value for 'tool_choice': no tool named '${name}'.`, { param: 'tool_choice' })
  const chosen = choice === 'required' && named.length === 0 ? functions.slice(0, 1) : named
  return chosen.map((tool, index) => ({
    id: sampleId('call_', `${seed}${tool.name}${index}`),
    type: 'function',
    function: { name: tool.name, arguments: JSON.stringify(sampleValue(tool.parameters ?? { type: 'object' })) },
  }))
}

/** The text, as JSON if the format requires it. */
export function piecesIn(format: { type: string; schema?: unknown } | undefined, pieces: string[]): string[] {
  if (format?.type === 'json_object') return splitJson(JSON.stringify({ answer: pieces.join('').trim() }))
  if (format?.type === 'json_schema') return splitJson(JSON.stringify(sampleValue(format.schema)))
  return pieces
}

function completeChat(request: ChatRequest, { chunks }: Faults) {
  const { model, messages, max_completion_tokens, max_tokens, response_format: format } = request
  const texts = messages.map(({ content }) => textOf(content))
  const transcript = texts.join('\n')
  const maxTokens = max_completion_tokens ?? max_tokens ?? Infinity
  const reasoning = countReasoning(model, maxTokens)
  const toolCalls = sampleToolCalls(request, transcript)
  const choices = Array.from({ length: request.n ?? 1 }, (_, index): Choice => {
    if (toolCalls.length > 0) {
      const tokens = countTokens(toolCalls.map((call) => call.function.name + call.function.arguments).join(''))
      return { text: '', pieces: [], tokens, toolCalls, finishReason: 'tool_calls' }
    }
    const text = samplePieces(texts.at(-1) ?? '', index, chunks)
    const pieces = piecesIn(format ? { type: format.type, ...format.json_schema } : undefined, text)
    return { ...cutPassage(pieces, maxTokens - reasoning), toolCalls }
  })
  const reasoningTokens = reasoning * choices.length
  const written = choices.reduce((sum, { tokens }) => sum + tokens, reasoningTokens)
  return {
    shared: {
      id: sampleId('chatcmpl-', model + transcript),
      created: sampleCreated,
      model,
      service_tier: 'default',
      system_fingerprint: 'fp_sample',
    },
    choices,
    usage: completionUsage(countTokens(transcript), written, reasoningTokens),
  }
}
type Completion = ReturnType<typeof completeChat>

const chatBody = ({ shared, choices, usage }: Completion) => ({
  ...shared,
  object: 'chat.completion',
  choices: choices.map(({ text, toolCalls, finishReason }, index) => {
    const content = toolCalls.length > 0 ? { content: null, tool_calls: toolCalls } : { content: text }
    const message = { role: 'assistant', ...content, refusal: null, annotations: [] }
    return { index, message, logprobs: null, finish_reason: finishReason }
  }),
  usage,
})

function* deltas({ pieces, toolCalls }: Choice): Generator<object> {
  yield { role: 'assistant', content: toolCalls.length > 0 ? null : '', refusal: null }
  for (const content of pieces) yield { content }
  for (const [index, { id, type, function: call }] of toolCalls.entries()) {
    yield { tool_calls: [{ index, id, type, function: { name: call.name, arguments: '' } }] }
    for (const fragment of splitJson(call.arguments))
      yield { tool_calls: [{ index, function: { arguments: fragment } }] }
  }
}

/** The chunks of a completion. With `includeUsage`, a chunk without choices has it; all others have `usage: null`. */
function* chatEvents({ shared, choices, usage }: Completion, includeUsage: boolean): Generator<string> {
  const event = (list: object[], chunkUsage: object | null = null) => {
    const chunk = { ...shared, object: 'chat.completion.chunk', choices: list }
    return `data: ${JSON.stringify(includeUsage ? { ...chunk, usage: chunkUsage } : chunk)}\n\n`
  }
  for (const [index, choice] of choices.entries()) {
    for (const delta of deltas(choice)) yield event([{ index, delta, logprobs: null, finish_reason: null }])
    yield event([{ index, delta: {}, logprobs: null, finish_reason: choice.finishReason }])
  }
  if (includeUsage) yield event([], usage)
  yield 'data: [DONE]\n\n'
}

export function chatRoutes(app: FastifyInstance): void {
  route(app, 'POST', '/v1/chat/completions', ({ body, faults }) => {
    const request = parseBody(ChatRequest, body)
    requireModel(request.model)
    const completion = completeChat(request, faults)
    if (!request.stream) return json(chatBody(completion))
    return events(chatEvents(completion, request.stream_options?.include_usage === true))
  })
}
