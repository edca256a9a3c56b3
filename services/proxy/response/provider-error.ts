import { z } from 'zod'
import { parseJson } from '#schemas/parse-json.ts'
import { kib } from '#core/units.ts'
import { withoutSecrets } from './secret-words.ts'

/** Longer bodies are not parsed. */
const maxErrorBytes = 64 * kib
const maxMessage = 1_000
const maxName = 128

export interface ProviderError {
  message: string
  code: string | null
  type: string | null
}

const name = z.union([z.string(), z.number()]).transform(String).nullish().catch(null)

/** The format of OpenAI, Anthropic and Gemini. */
const details = z.object({ message: z.string().min(1), code: name, type: name, status: name })

const ErrorBody = z.union([
  z.object({ error: details }).transform(({ error }) => error),
  z.object({ error: z.string().min(1) }).transform(({ error }) => ({ message: error })),
  details,
  // The final event of a failed OpenAI response.
  z.object({ response: z.object({ error: details }) }).transform(({ response }) => response.error),
  z.object({ detail: z.string() }).transform(({ detail }) => ({ message: detail })),
  // A list of validation errors, as FastAPI sends it.
  z.object({ detail: z.tuple([z.object({ msg: z.string(), type: name })], z.unknown()) }).transform(({ detail }) => ({
    message: detail[0].msg,
    type: detail[0].type,
  })),
])

/** Gemini sends a list with one error. */
const ErrorResponse: z.ZodType<Partial<z.output<typeof details>> & { message: string }> = z.union([
  ErrorBody,
  z.tuple([ErrorBody], z.unknown()).transform(([first]) => first),
])

/** The first message at the beginning of a body; never cuts an escape. */
const firstMessage = /"(?:message|msg|detail|error)"\s*:\s*("(?:[^"\\]|\\u[\da-f]{4}|\\[^u]){1,2000})/i

/** Reads the error of a response in linear time, with secrets removed; `null` if the body is not understood. */
export function readProviderError(body: Buffer, secret: string): ProviderError | null {
  const found =
    body.length > maxErrorBytes ? readBeginning(body) : ErrorResponse.safeParse(parseJson(body.toString())).data
  if (!found) return null
  const { message, code, type, status } = found
  const shown = (text: string, max: number) => withoutSecrets(text, secret).slice(0, max).toWellFormed()
  const shownName = (text: string | null | undefined) => (text ? shown(text, maxName) : null)
  // Gemini's `code` repeats the HTTP status, and its `status` is a name.
  const named = status && !/^\d+$/.test(status) ? status : code
  return { message: shown(message, maxMessage), code: shownName(named), type: shownName(type) }
}

const InvalidKey = z.object({ error: z.object({ details: z.array(z.unknown()) }) })
const reasonName = 'API_KEY_INVALID'

/** Whether the body of a 400 is Google's for a wrong or revoked key. */
function isInvalidKey(body: Buffer): boolean {
  if (!body.includes(reasonName)) return false
  const parsed = parseJson(body.toString())
  const { data } = InvalidKey.safeParse(Array.isArray(parsed) ? parsed[0] : parsed)
  return (
    data?.error.details.some((each) => z.object({ reason: z.literal(reasonName) }).safeParse(each).success) === true
  )
}

const FlaggedPrompt = z.object({
  error: z.object({ metadata: z.object({ reasons: z.array(z.string()), flagged_input: z.string() }) }),
})

/** Statuses that the body may change for the key. */
export const ambiguousStatuses: ReadonlySet<number> = new Set([400, 403])

/** The status that other providers have: 401 for Google's 400, and 400 for OpenRouter's 403 for a flagged prompt. */
export function usualStatusOf(status: number, body: Buffer): number {
  if (status === 400 && isInvalidKey(body)) return 401
  return status === 403 && FlaggedPrompt.safeParse(parseJson(body.toString())).success ? 400 : status
}

function readBeginning(body: Buffer): z.output<typeof ErrorResponse> | undefined {
  const [, text] = firstMessage.exec(body.toString('utf8', 0, maxErrorBytes)) ?? []
  const message = text && parseJson(`${text}"`)
  return typeof message === 'string' ? { message } : undefined
}
