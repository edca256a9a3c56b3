import { z } from 'zod'
import { kib } from '#core/units.ts'

const maxErrorBytes = 16 * kib
const maxMessage = 1_000
const maxName = 128

export interface ProviderError {
  message: string
  code: string | null
  type: string | null
}

const name = z
  .union([z.string(), z.number()])
  .transform((value) => String(value).slice(0, maxName))
  .nullish()
  .catch(null)

/** OpenAI's, Anthropic's and Gemini's. */
const details = z.object({ message: z.string(), code: name, type: name, status: name })

const ErrorBody = z.union([
  z.object({ error: details }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error })),
  details,
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

/** What looks like a key or a token; providers repeat the beginning and the end of theirs. */
const secretWords = /\b(?:sk|st|pk|rk|key|sess)[-_][\w*.-]{6,}|\b[\w-]*\*{3,}[\w-]*/g

/** What the body of an error response says, without secrets; `null`: nothing that is understood. */
export function readProviderError(body: Buffer, secret: string): ProviderError | null {
  if (body.length === 0 || body.length > maxErrorBytes) return null
  let parsed: ReturnType<typeof ErrorResponse.safeParse>
  try {
    parsed = ErrorResponse.safeParse(JSON.parse(body.toString()))
  } catch {
    return null
  }
  if (!parsed.success) return null
  const { message, code, type, status } = parsed.data
  const shown = message.replaceAll(secret, '***').replace(secretWords, '***').slice(0, maxMessage).toWellFormed()
  // Gemini's code is the status once more; its status is a name.
  return { message: shown, code: (typeof status === 'string' ? status : code) ?? null, type: type ?? null }
}
