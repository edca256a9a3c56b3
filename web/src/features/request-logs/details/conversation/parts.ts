import { z } from 'zod'
import { formatBytes, formatJson } from '#web/lib/text/format.ts'

/** A part of a message. What it attaches is described, never loaded. */
export type Part =
  | { kind: 'text' | 'reasoning' | 'refusal' | 'attachment' | 'other'; text: string }
  | { kind: 'call'; name: string; text: string }
  | { kind: 'result'; parts: Part[] }

export const textPart = (text: string): Part => ({ kind: 'text', text })

const jsonText = (value: unknown) => (typeof value === 'string' ? formatJson(value) : JSON.stringify(value, null, 2))

export const callPart = (name: string | null | undefined, input: unknown): Part => ({
  kind: 'call',
  name: name ?? '',
  text: jsonText(input ?? ''),
})

/** Longer addresses are shortened, characters. */
const longestAddress = 200

function attachment(what: string, source: string | null | undefined, mediaType?: string): Part {
  const [, type = mediaType, base64] = /^(?:data:([^;,]*)[^,]*,)?(.*)$/s.exec(source ?? '') ?? []
  const isData = source?.startsWith('data:') === true || mediaType !== undefined
  const size = formatBytes(Math.floor(((base64?.length ?? 0) * 3) / 4))
  const text = isData ? [type, size].filter(Boolean).join(', ') : (source?.slice(0, longestAddress) ?? '')
  return { kind: 'attachment', text: text === '' ? what : `${what}: ${text}` }
}

const text = z.string().nullish()

const Source = z.object({ data: text, media_type: z.string().optional(), url: text, file_id: text }).optional()
type Source = z.infer<typeof Source>
const ofSource = (what: string, source: Source) =>
  attachment(what, source?.data ?? source?.url ?? source?.file_id, source?.data ? (source.media_type ?? '') : undefined)

/** Content in the shapes of Chat Completions, the Responses API and Anthropic's Messages, whose names don't collide. */
const KnownPart: z.ZodType<Part> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z
      .object({ type: z.literal(['text', 'input_text', 'output_text']), text: z.string() })
      .transform((part) => textPart(part.text)),
    z
      .object({ type: z.literal(['summary_text', 'reasoning_text']), text: z.string() })
      .transform((part): Part => ({ kind: 'reasoning', text: part.text })),
    z
      .object({ type: z.literal('thinking'), thinking: z.string() })
      .transform((part): Part => ({ kind: 'reasoning', text: part.thinking })),
    z
      .object({ type: z.literal('refusal'), refusal: z.string() })
      .transform((part): Part => ({ kind: 'refusal', text: part.refusal })),
    z
      .object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) })
      .transform((part) => attachment('Image', part.image_url.url)),
    z
      .object({ type: z.literal('input_image'), image_url: text, file_id: text })
      .transform((part) => attachment('Image', part.image_url ?? part.file_id)),
    z.object({ type: z.literal('image'), source: Source }).transform((part) => ofSource('Image', part.source)),
    z
      .object({ type: z.literal('input_audio'), input_audio: z.object({ data: text, format: z.string().default('') }) })
      .transform(({ input_audio: audio }) => attachment('Audio', audio.data, audio.format)),
    z
      .object({ type: z.literal('file'), file: z.object({ filename: text, file_id: text }) })
      .transform(({ file }) => attachment('File', file.filename ?? file.file_id)),
    z
      .object({ type: z.literal('input_file'), filename: text, file_id: text, file_url: text })
      .transform((part) => attachment('File', part.filename ?? part.file_url ?? part.file_id)),
    z
      .object({ type: z.literal('document'), title: text, source: Source })
      .transform((part) => (part.title ? attachment('Document', part.title) : ofSource('Document', part.source))),
    z
      .object({ type: z.literal(['tool_use', 'server_tool_use']), name: text, input: z.unknown() })
      .transform((part) => callPart(part.name, part.input)),
    z
      .object({ type: z.literal('tool_result'), content: Content })
      .transform((part): Part => ({ kind: 'result', parts: part.content })),
  ]),
)

export const otherPart = (value: unknown): Part => ({ kind: 'other', text: jsonText(value) })

/** Content of any shape: a text, or parts. */
export const Content: z.ZodType<Part[]> = z.lazy(() =>
  z
    .union([
      z.string().transform((whole) => (whole === '' ? [] : [textPart(whole)])),
      z.array(z.union([KnownPart, z.unknown().transform(otherPart)])),
    ])
    .nullish()
    .transform((parts) => parts ?? []),
)
