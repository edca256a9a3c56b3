import { z } from 'zod'

const Part = z.looseObject({ type: z.string(), text: z.string().optional() })
const Message = z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(Part)]).nullish() })

const FunctionTool = z.looseObject({ name: z.string(), parameters: z.record(z.string(), z.unknown()).nullish() })
export type FunctionTool = z.infer<typeof FunctionTool>

const limit = z.number().int().min(1).nullish()

/** The fields that the sample provider looks at. */
export const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  n: z.number().int().min(1).max(128).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: limit,
  max_completion_tokens: limit,
  tools: z.array(z.looseObject({ type: z.string(), function: FunctionTool.optional() })).nullish(),
  tool_choice: z
    .union([z.string(), z.looseObject({ type: z.string(), function: z.looseObject({ name: z.string() }).optional() })])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()).optional() }).optional(),
    })
    .nullish(),
})
export type ChatRequest = z.infer<typeof ChatRequest>

export const textOf = ({ content }: ChatRequest['messages'][number]): string => {
  if (typeof content === 'string') return content
  return content?.map((part) => part.text ?? '').join('\n') ?? ''
}
