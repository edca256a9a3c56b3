import type { Choice, Completion } from './chat-completion.ts'
import { sampleCreated, splitJson } from './text.ts'

function* deltas({ pieces, toolCalls }: Choice): Generator<object> {
  if (toolCalls.length === 0) {
    yield { role: 'assistant', content: '', refusal: null }
    for (const content of pieces) yield { content }
    return
  }
  yield { role: 'assistant', content: null, refusal: null }
  for (const [index, { id, type, function: call }] of toolCalls.entries()) {
    yield { tool_calls: [{ index, id, type, function: { name: call.name, arguments: '' } }] }
    for (const fragment of splitJson(call.arguments)) {
      yield { tool_calls: [{ index, function: { arguments: fragment } }] }
    }
  }
}

/** The chunks of a completion. With `includeUsage` one without choices brings it; all others say `usage: null`. */
export function* chatEvents({ id, model, choices, usage }: Completion, includeUsage: boolean): Generator<string> {
  const shared = JSON.stringify({
    id,
    object: 'chat.completion.chunk',
    created: sampleCreated,
    model,
    service_tier: 'default',
    system_fingerprint: 'fp_sample',
  })
  const opening = `data: ${shared.slice(0, -1)},"choices":[`
  const closing = includeUsage ? `],"usage":null}\n\n` : `]}\n\n`

  for (const [index, choice] of choices.entries()) {
    for (const delta of deltas(choice)) {
      yield `${opening}{"index":${index},"delta":${JSON.stringify(delta)},"logprobs":null,"finish_reason":null}${closing}`
    }
    yield `${opening}{"index":${index},"delta":{},"logprobs":null,"finish_reason":"${choice.finishReason}"}${closing}`
  }
  if (includeUsage) yield `${opening}],"usage":${JSON.stringify(usage)}}\n\n`
  yield 'data: [DONE]\n\n'
}
