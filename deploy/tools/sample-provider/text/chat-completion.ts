import { textOf, type ChatRequest } from './chat-request.ts'
import type { Faults } from '#tools/sample-provider/faults.ts'
import { sampleValue } from './json-sample.ts'
import { countReasoning, countTokens, cutPassage, sampleCreated, sampleId, samplePieces, splitJson } from './text.ts'
import { sampleToolCalls, type ToolCall } from './tool-calls.ts'
import { completionUsage } from '#tools/sample-provider/usage.ts'

export interface Choice {
  text: string
  pieces: string[]
  tokens: number
  toolCalls: ToolCall[]
  finishReason: 'stop' | 'length' | 'tool_calls'
}

export interface Completion {
  id: string
  model: string
  choices: Choice[]
  usage: ReturnType<typeof completionUsage>
}

const piecesFor = ({ response_format: format }: ChatRequest, prompt: string, variant: number, chunks?: number) => {
  const pieces = samplePieces(prompt, variant, chunks)
  if (format?.type === 'json_object') return splitJson(JSON.stringify({ answer: pieces.join('').trim() }))
  if (format?.type === 'json_schema') return splitJson(JSON.stringify(sampleValue(format.json_schema?.schema ?? {})))
  return pieces
}

export const completeChat = (request: ChatRequest, faults: Faults): Completion => {
  const { model, messages, max_completion_tokens, max_tokens } = request
  const texts = messages.map(textOf)
  const transcript = texts.join('\n')
  const prompt = texts.at(-1) ?? ''
  const maxTokens = max_completion_tokens ?? max_tokens ?? Infinity
  const reasoning = countReasoning(model, maxTokens)
  const toolCalls = sampleToolCalls(request, transcript)

  const choices = Array.from({ length: request.n ?? 1 }, (_, index): Choice => {
    if (toolCalls.length > 0) {
      const tokens = countTokens(toolCalls.map((call) => call.function.name + call.function.arguments).join(''))
      return { text: '', pieces: [], tokens, toolCalls, finishReason: 'tool_calls' }
    }
    const passage = cutPassage(piecesFor(request, prompt, index, faults.chunks), maxTokens - reasoning)
    return { ...passage, toolCalls }
  })
  const reasoningTokens = reasoning * choices.length
  const written = choices.reduce((sum, choice) => sum + choice.tokens, 0)
  return {
    id: sampleId('chatcmpl-', model + transcript),
    model,
    choices,
    usage: completionUsage(countTokens(transcript), written + reasoningTokens, reasoningTokens),
  }
}

export const chatBody = ({ id, model, choices, usage }: Completion) => ({
  id,
  object: 'chat.completion',
  created: sampleCreated,
  model,
  choices: choices.map(({ text, toolCalls, finishReason }, index) => ({
    index,
    message: {
      role: 'assistant',
      content: toolCalls.length > 0 ? null : text,
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
      refusal: null,
      annotations: [],
    },
    logprobs: null,
    finish_reason: finishReason,
  })),
  usage,
  service_tier: 'default',
  system_fingerprint: 'fp_sample',
})
