import { textOf, type ChatRequest, type FunctionTool } from './chat-request.ts'
import { ProviderError } from '#tools/sample-provider/errors.ts'
import { sampleValue } from './json-sample.ts'
import { sampleId } from './text.ts'

export interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

const chooseTools = ({ messages, tools, tool_choice: choice, parallel_tool_calls }: ChatRequest): FunctionTool[] => {
  const last = messages.at(-1)
  // After a tool's result comes the answer, or a client that runs tools in a loop would never end.
  if (!tools || choice === 'none' || last?.role !== 'user') return []
  const functions = tools.flatMap((tool) => (tool.function ? [tool.function] : []))
  if (typeof choice === 'object' && choice?.function) {
    const { name } = choice.function
    const chosen = functions.filter((tool) => tool.name === name)
    if (chosen.length > 0) return chosen
    throw new ProviderError(400, `Invalid value for 'tool_choice': no tool named '${name}'.`, { param: 'tool_choice' })
  }
  const prompt = textOf(last)
  const mentioned = functions.filter((tool) => prompt.includes(tool.name))
  if (mentioned.length === 0) return choice === 'required' ? functions.slice(0, 1) : []
  return parallel_tool_calls === false ? mentioned.slice(0, 1) : mentioned
}

/** Calls of the tools that the last message names or the request demands; the arguments fit their schemas. */
export const sampleToolCalls = (request: ChatRequest, seed: string): ToolCall[] =>
  chooseTools(request).map(({ name, parameters }, index) => ({
    id: sampleId('call_', `${seed}${name}${index}`),
    type: 'function',
    function: { name, arguments: JSON.stringify(sampleValue(parameters ?? { type: 'object' })) },
  }))
