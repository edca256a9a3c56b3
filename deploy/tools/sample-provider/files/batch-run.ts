import { z } from 'zod'
import type { Answer } from '#tools/sample-provider/answer.ts'
import { answerChat } from '#tools/sample-provider/text/chat.ts'
import { answerCompletion } from '#tools/sample-provider/text/completions.ts'
import { answerEmbedding } from '#tools/sample-provider/text/embeddings.ts'
import { ProviderError } from '#tools/sample-provider/errors.ts'
import { noFaults } from '#tools/sample-provider/faults.ts'
import { answerModeration } from '#tools/sample-provider/text/moderations.ts'
import { answerResponse } from '#tools/sample-provider/text/responses.ts'
import { sampleId } from '#tools/sample-provider/text/text.ts'

export const batchEndpoints = {
  '/v1/chat/completions': (body: unknown) => answerChat(body, noFaults),
  '/v1/completions': (body: unknown) => answerCompletion(body, noFaults),
  '/v1/responses': (body: unknown) => answerResponse(body, noFaults),
  '/v1/embeddings': answerEmbedding,
  '/v1/moderations': answerModeration,
} satisfies Record<string, (body: unknown) => Answer>
export type BatchEndpoint = keyof typeof batchEndpoints

const Line = z.looseObject({
  custom_id: z.string(),
  method: z.literal('POST'),
  url: z.string(),
  body: z.record(z.string(), z.unknown()),
})
type Line = z.infer<typeof Line>

export interface LineError {
  code: string
  line: number
  message: string
  param: null
}

const parseLine = (text: string, endpoint: BatchEndpoint): Line | string => {
  try {
    const line = Line.parse(JSON.parse(text))
    return line.url === endpoint ? line : `The URL provided for this request does not match ${endpoint}.`
  } catch {
    return 'This line is not parseable as a batch request.'
  }
}

/** The requests of an input file, or what is wrong with its lines. */
export const parseBatch = (data: Buffer, endpoint: BatchEndpoint): { lines: Line[]; errors: LineError[] } => {
  const lines: Line[] = []
  const errors: LineError[] = []
  for (const [index, text] of data.toString().split('\n').entries()) {
    if (text.trim() === '') continue
    const parsed = parseLine(text, endpoint)
    if (typeof parsed !== 'string') lines.push(parsed)
    else errors.push({ code: 'invalid_json_line', line: index + 1, message: parsed, param: null })
  }
  return { lines, errors }
}

const answerLine = (endpoint: BatchEndpoint, body: Line['body']): { status: number; body: unknown } => {
  try {
    const answer = batchEndpoints[endpoint]({ ...body, stream: false })
    return { status: answer.status, body: JSON.parse(String(answer.body)) }
  } catch (error) {
    if (error instanceof ProviderError) return { status: error.status, body: error.toBody() }
    throw error
  }
}

/** The lines of the output file and of the error file. */
export const runBatch = (lines: Line[], endpoint: BatchEndpoint): { outputs: string[]; failures: string[] } => {
  const outputs: string[] = []
  const failures: string[] = []
  for (const [index, { custom_id, body }] of lines.entries()) {
    const answer = answerLine(endpoint, body)
    const result = JSON.stringify({
      id: sampleId('batch_req_', `${custom_id}${index}`),
      custom_id,
      response: { status_code: answer.status, request_id: sampleId('req_', custom_id), body: answer.body },
      error: null,
    })
    ;(answer.status < 400 ? outputs : failures).push(result)
  }
  return { outputs, failures }
}
