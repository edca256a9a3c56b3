import { z } from 'zod'
import { formatBytes, formatJson } from '#web/lib/text/format.ts'

/** A part of a message. Attachments are described, never loaded. */
export type Part =
  | { kind: 'text' | 'reasoning' | 'refusal' | 'attachment' | 'other'; text: string }
  | { kind: 'call'; name: string; text: string }
  | { kind: 'result'; parts: Part[] }

export const textPart = (text: string): Part => ({ kind: 'text', text })

const jsonText = (value: unknown) => (typeof value === 'string' ? formatJson(value) : JSON.stringify(value, null, 2))

export const otherPart = (value: unknown): Part => ({ kind: 'other', text: jsonText(value) })

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

/** A file in an interaction of Google's. */
const googleFile = { data: text, mime_type: z.string().optional(), uri: text }
const ofFile = (what: string, { data, mime_type: type, uri }: z.infer<z.ZodObject<typeof googleFile>>) =>
  attachment(what, data ?? uri, data ? (type ?? '') : undefined)

/** Content of any shape: a text, or parts. */
export const Content = z
  .union([
    z.string().transform((whole) => (whole === '' ? [] : [textPart(whole)])),
    z.array(z.unknown().transform(readPart)),
  ])
  .nullish()
  .transform((parts): Part[] => parts ?? [])

/** Parts of Chat Completions, the Responses API, Anthropic's Messages and Google's interactions, by types that don't collide. */
const shapes = new Map<string, z.ZodType<Part>>()
const addShape = <Type extends z.ZodRawShape>(
  types: string,
  fields: Type,
  read: (part: z.output<z.ZodObject<Type>>) => Part,
) => types.split(' ').forEach((type) => shapes.set(type, z.object(fields).transform(read)))

addShape('text input_text output_text', { text: z.string() }, (part) => textPart(part.text))
addShape('summary_text reasoning_text', { text: z.string() }, (part) => ({ kind: 'reasoning', text: part.text }))
addShape('thinking', { thinking: z.string() }, (part) => ({ kind: 'reasoning', text: part.thinking }))
addShape('refusal', { refusal: z.string() }, (part) => ({ kind: 'refusal', text: part.refusal }))
addShape('image_url', { image_url: z.object({ url: z.string() }) }, (part) => attachment('Image', part.image_url.url))
addShape('input_image', { image_url: text, file_id: text }, (part) =>
  attachment('Image', part.image_url ?? part.file_id),
)
addShape('image', { source: Source, ...googleFile }, (part) =>
  part.source ? ofSource('Image', part.source) : ofFile('Image', part),
)
addShape('audio', googleFile, (part) => ofFile('Audio', part))
addShape('video', googleFile, (part) => ofFile('Video', part))
addShape('input_audio', { input_audio: z.object({ data: text, format: z.string().default('') }) }, (part) =>
  attachment('Audio', part.input_audio.data, part.input_audio.format),
)
addShape('file', { file: z.object({ filename: text, file_id: text }) }, ({ file }) =>
  attachment('File', file.filename ?? file.file_id),
)
addShape('input_file', { filename: text, file_id: text, file_url: text }, (part) =>
  attachment('File', part.filename ?? part.file_url ?? part.file_id),
)
addShape('document', { title: text, source: Source, ...googleFile }, (part) => {
  if (part.title) return attachment('Document', part.title)
  return part.source ? ofSource('Document', part.source) : ofFile('Document', part)
})
addShape('tool_use server_tool_use', { name: text, input: z.unknown() }, (part) => callPart(part.name, part.input))
addShape('tool_result', { content: Content }, (part) => ({ kind: 'result', parts: part.content }))

/** Google's parts have no type, but different members. */
const GooglePart = z.union([
  z
    .object({ text: z.string(), thought: z.boolean().optional() })
    .transform((part): Part => ({ kind: part.thought ? 'reasoning' : 'text', text: part.text })),
  z
    .object({ functionCall: z.object({ name: text, args: z.unknown() }) })
    .transform(({ functionCall: call }) => callPart(call.name, call.args)),
  z
    .object({ functionResponse: z.object({ response: z.unknown() }) })
    .transform((part): Part => ({ kind: 'result', parts: [otherPart(part.functionResponse.response)] })),
  z
    .object({ inlineData: z.object({ data: text, mimeType: z.string().default('') }) })
    .transform(({ inlineData: file }) => attachment('File', file.data, file.mimeType)),
  z
    .object({ fileData: z.object({ fileUri: text }) })
    .transform(({ fileData: file }) => attachment('File', file.fileUri)),
])

const Typed = z.object({ type: z.string() })

function readPart(part: unknown): Part {
  const { type } = Typed.safeParse(part).data ?? {}
  const shape = type === undefined ? GooglePart : shapes.get(type)
  return shape?.safeParse(part).data ?? otherPart(part)
}
