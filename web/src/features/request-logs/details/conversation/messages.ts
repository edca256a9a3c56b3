import { z } from 'zod'
import { callPart, Content, otherPart, type Part, textPart } from './parts.ts'

export interface Message {
  /** As the provider names it. */
  role: string
  /** Why it ended, and its number among several responses. */
  notes: string[]
  parts: Part[]
}

const text = z.string().nullish()
const message = (role: string, parts: Part[], notes: string[] = []): Message => ({ role, notes, parts })
const written = (kind: 'reasoning' | 'refusal', value: string | null | undefined): Part[] =>
  value ? [{ kind, text: value }] : []

const Call = z.object({ name: text, arguments: text, input: text })
const ToolCall = z
  .object({ function: Call.nullish(), custom: Call.nullish() })
  .transform(({ function: called, custom }) => callPart((called ?? custom)?.name, called?.arguments ?? custom?.input))

/** A message of Chat Completions or Anthropic's Messages. */
const ChatMessage = z
  .object({
    role: z.string().default('assistant'),
    content: Content,
    reasoning: text.catch(null),
    reasoning_content: text.catch(null),
    refusal: text,
    tool_calls: z.array(ToolCall).nullish(),
    function_call: Call.nullish(),
  })
  .transform((chat) => {
    const { role, content, function_call: called } = chat
    if (role === 'tool' || role === 'function') return message(role, [{ kind: 'result', parts: content }])
    return message(role, [
      ...written('reasoning', chat.reasoning_content ?? chat.reasoning),
      ...content,
      ...written('refusal', chat.refusal),
      ...(called ? [callPart(called.name, called.arguments)] : []),
      ...(chat.tool_calls ?? []),
    ])
  })

const ChatRequest = z
  .object({ system: Content, messages: z.array(ChatMessage).min(1) })
  .transform(({ system, messages }) => [...(system.length > 0 ? [message('system', system)] : []), ...messages])

/** An input or output item of the Responses API. */
const Item = z.union([
  z
    .object({ type: z.literal('message').optional(), role: z.string(), content: Content })
    .transform(({ role, content }) => message(role, content)),
  z
    .object({ type: z.literal(['function_call', 'custom_tool_call', 'mcp_call']), ...Call.shape })
    .transform((call) => message('assistant', [callPart(call.name, call.arguments ?? call.input)])),
  z
    .object({ type: z.literal(['function_call_output', 'custom_tool_call_output']), output: Content })
    .transform(({ output }) => message('tool', [{ kind: 'result', parts: output }])),
  z
    .object({ type: z.literal('reasoning'), summary: Content, content: Content })
    .transform(({ summary, content }) => message('assistant', [...summary, ...content])),
  z
    .object({ type: z.literal('image_generation_call') })
    .transform(() => message('assistant', [{ kind: 'attachment', text: 'Generated image' }])),
  z.unknown().transform((item) => message('assistant', [otherPart(item)])),
])

const said = (messages: Message[]) => messages.filter(({ parts }) => parts.length > 0)

const ResponsesRequest = z
  .object({
    instructions: text.catch(null),
    input: z.union([z.string().transform((input) => [message('user', [textPart(input)])]), z.array(Item)]),
  })
  .transform(({ instructions, input }) =>
    said([...(instructions ? [message('instructions', [textPart(instructions)])] : []), ...input]),
  )

const CompletionRequest = z
  .object({ prompt: z.union([z.string().transform((prompt) => [prompt]), z.array(z.string())]) })
  .transform(({ prompt }) => prompt.map((each) => message('prompt', [textPart(each)])))

/** A message of Google's. */
const GoogleContent = z.object({ role: z.string().optional(), parts: Content })

const GoogleRequest = z
  .object({ systemInstruction: GoogleContent.nullish(), contents: z.array(GoogleContent).min(1) })
  .transform(({ systemInstruction: system, contents }) => [
    ...(system ? [message('system', system.parts)] : []),
    ...contents.map(({ role = 'user', parts }) => message(role, parts)),
  ])

const GoogleResponse = z
  .object({ candidates: z.array(z.object({ content: GoogleContent.optional(), finishReason: text })).min(1) })
  .transform(({ candidates }) =>
    candidates.map(({ content, finishReason: reason }, index) =>
      message(content?.role ?? 'model', content?.parts ?? [], [
        ...(candidates.length > 1 ? [`choice ${index + 1}`] : []),
        ...(reason ? [reason] : []),
      ]),
    ),
  )

/** A step of an interaction of Google's, or a turn, as earlier versions name it. */
const Step = z.union([
  z.object({ type: z.literal('user_input'), content: Content }).transform(({ content }) => message('user', content)),
  z.object({ type: z.literal('model_output'), content: Content }).transform(({ content }) => message('model', content)),
  z.object({ type: z.literal('thought'), summary: z.array(z.object({ text })).default([]) }).transform(({ summary }) =>
    message(
      'model',
      summary.flatMap((part) => written('reasoning', part.text)),
    ),
  ),
  z
    .object({ type: z.literal('function_call'), name: text, arguments: z.unknown() })
    .transform((call) => message('model', [callPart(call.name, call.arguments)])),
  z
    .object({
      type: z.literal('function_result'),
      result: z.union([Content, z.unknown().transform((it) => [otherPart(it)])]),
    })
    .transform(({ result }) => message('tool', [{ kind: 'result', parts: result }])),
  z.object({ role: z.string(), content: Content }).transform(({ role, content }) => message(role, content)),
  z.unknown().transform((step) => message('model', [otherPart(step)])),
])

const InteractionPart = z.looseObject({ type: z.literal(['text', 'image', 'audio', 'document', 'video']) })

const InteractionRequest = z
  .object({
    system_instruction: text.catch(null),
    input: z.union([
      z
        .union([z.string(), z.array(InteractionPart), InteractionPart.transform((part) => [part])])
        .transform((parts) => [message('user', Content.parse(parts))]),
      z.array(Step),
    ]),
  })
  .transform(({ system_instruction: system, input }) =>
    said([...(system ? [message('system', [textPart(system)])] : []), ...input]),
  )

const InteractionResponse = z
  .object({ steps: z.array(Step).min(1), status: text })
  .transform(({ steps, status }) => said(steps).map((step) => ({ ...step, notes: status ? [status] : [] })))

const ChoicesResponse = z
  .object({
    choices: z
      .array(z.object({ message: ChatMessage.optional(), text, finish_reason: text }))
      .min(1)
      .refine((choices) => choices.every((choice) => choice.message ?? typeof choice.text === 'string')),
  })
  .transform(({ choices }) =>
    choices.map(({ message: chat, text: completion, finish_reason: reason }, index) => ({
      ...(chat ?? message('assistant', completion ? [textPart(completion)] : [])),
      notes: [...(choices.length > 1 ? [`choice ${index + 1}`] : []), ...(reason ? [reason] : [])],
    })),
  )

const ItemsResponse = z
  .object({ output: z.array(Item).min(1), status: text })
  .transform(({ output, status }) => said(output).map((item) => ({ ...item, notes: status ? [status] : [] })))

const MessageResponse = z
  .object({ role: z.literal('assistant'), content: Content, stop_reason: text })
  .transform(({ role, content, stop_reason: reason }) => [message(role, content, reason ? [reason] : [])])

const responses = z.union([ChoicesResponse, ItemsResponse, MessageResponse, GoogleResponse, InteractionResponse])

function parsed(schema: z.ZodType<Message[]>, body: unknown): Message[] | undefined {
  try {
    const messages = schema.safeParse(body).data
    return messages && messages.length > 0 ? messages : undefined
  } catch (error) {
    // Nested too deeply for the stack.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** @param endpoint decides how a text `input` or `prompt` is read */
export function requestMessages(endpoint: string, body: unknown): Message[] | undefined {
  const other = endpoint.endsWith('/responses')
    ? ResponsesRequest
    : endpoint.endsWith('/completions')
      ? CompletionRequest
      : endpoint.endsWith('/interactions')
        ? InteractionRequest
        : undefined
  return parsed(ChatRequest, body) ?? (other ? parsed(other, body) : parsed(GoogleRequest, body))
}

export const responseMessages = (body: unknown): Message[] | undefined => parsed(responses, body)
