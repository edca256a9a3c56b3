import { mib } from '#core/units.ts'
import type { RequestBody } from './request-body.ts'
import type { Target } from './target.ts'
import { topLevelNames } from './top-level-names.ts'

/** Larger bodies are not looked into. */
const readableBytes = mib

/** Endpoints whose streams carry usage only when it is asked for. */
const usageOnRequest = new Set(['/v1/chat/completions', '/v1/completions'])

const firstMember = Buffer.from('"stream_options":{"include_usage":true},')
const openingBrace = '{'.charCodeAt(0)

/** What the gateway understands of a request; all of it optional, the provider has the last word. */
export interface RequestFacts {
  model: string | null
  isStream: boolean
  /** The body with a wish for usage in it, where the client did not ask for that itself. */
  bodyWithUsage: Buffer | undefined
}

const nothing: RequestFacts = { model: null, isStream: false, bodyWithUsage: undefined }

/**
 * Reads a JSON body. Anything else is passed on as it is.
 * @param decides whether the model decides if the request may go on: then one that is named twice is no model
 */
export function readFacts(
  body: RequestBody,
  contentType: string | undefined,
  target: Target,
  decides = false,
): RequestFacts {
  if (!body || !('bytes' in body) || body.length > readableBytes) return nothing
  if (!contentType?.toLowerCase().includes('json')) return nothing
  const text = body.bytes.toString()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return nothing
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return nothing
  const { model, stream, stream_options: options } = json as Record<string, unknown>
  const isStream = stream === true
  const asks = isStream && usageOnRequest.has(target.endpoint) && options === undefined
  return {
    model: typeof model === 'string' && !(decides && isNamedTwice(text, 'model')) ? model.slice(0, 200) : null,
    isStream,
    bodyWithUsage: asks ? askForUsage(body.bytes) : undefined,
  }
}

/** One member more, in front of the others: everything the client wrote stays as it wrote it. */
function askForUsage(body: Buffer): Buffer {
  const at = body.indexOf(openingBrace) + 1
  return Buffer.concat([body.subarray(0, at), firstMember, body.subarray(at)])
}

/** Parsers differ in which of two equal members they take, and in whether case matters. */
const isNamedTwice = (json: string, name: string): boolean =>
  topLevelNames(json).filter((other) => other.toLowerCase() === name).length > 1
