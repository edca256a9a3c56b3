import type { IncomingMessage, ServerResponse } from 'node:http'
import { headerText } from '#core/http/header-text.ts'
import { kib } from '#core/units.ts'
import { parseJson } from '#schemas/parse-json.ts'
import { maxTags, maxTagValue, tagKey } from '#schemas/tags.ts'

const metadataHeader = 'x-sallyport-metadata'
const warningHeader = 'x-sallyport-warning'
const maxMetadata = 8 * kib
const maxWarning = 200

type Tags = Record<string, string>

/** Settings of the account and of the request's token. */
interface TagSettings {
  logTags: boolean
  tags: Tags | null
}

interface RequestTags {
  tags: Tags
  /** Names the ignored tags, in characters that are valid in a header. */
  warning?: string
}

const none: RequestTags = { tags: {} }

/** The trace id of a `traceparent`, which can't be zero. See W3C Trace Context. */
const traceId = /^[\da-f]{2}-((?!0{32})[\da-f]{32})-[\da-f]{16}-[\da-f]{2}/

/** Headers in which Claude Code and Codex name their session. */
const sessionHeaders = ['x-claude-code-session-id', 'session-id'] as const
const sessionId = /^[!-~]{1,256}$/

/** The tags of a request: first those of its token, then the client's. Source: product.md 7.11. */
export function tagsOf({ headers }: IncomingMessage, { logTags, tags: fixed }: TagSettings): RequestTags {
  const { [metadataHeader]: metadata, traceparent } = headers
  if (!logTags) return none
  const session = headers[sessionHeaders[0]] ?? headers[sessionHeaders[1]]
  if (metadata === undefined && traceparent === undefined && session === undefined)
    return fixed ? { tags: fixed } : none
  const { entries, ignored } = metadata === undefined ? { entries: [], ignored: [] } : readMetadata(String(metadata))
  if (typeof session === 'string' && sessionId.test(session)) entries.push(['session', session])
  const trace = traceId.exec(String(traceparent))?.[1]
  if (trace !== undefined) entries.push(['trace', trace])
  const tags = new Map(Object.entries(fixed ?? {}))
  for (const [key, value] of entries) {
    if (tags.has(key)) continue
    if (tags.size < maxTags) tags.set(key, value)
    else ignored.push(key)
  }
  return { tags: Object.fromEntries(tags), ...(ignored.length > 0 && { warning: warningOf(ignored) }) }
}

/** Call it before the response is written, so that error responses have the header too. */
export function warnOfTags(response: ServerResponse, warning: string | undefined): void {
  if (warning !== undefined) response.setHeader(warningHeader, warning)
}

/** For a WebSocket's handshake: name and value. */
export const warningHeaders = ({ warning }: RequestTags): string[] =>
  warning === undefined ? [] : [warningHeader, warning]

function readMetadata(header: string): { entries: [string, string][]; ignored: string[] } {
  const members = header.length <= maxMetadata ? parseObject(header) : undefined
  if (!members) return { entries: [], ignored: [metadataHeader] }
  const entries: [string, string][] = []
  const ignored: string[] = []
  for (const [key, value] of Object.entries(members)) {
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    const isValid = typeof text === 'string' && text !== '' && text.length <= maxTagValue && tagKey.test(key)
    if (isValid) entries.push([key, text.toWellFormed()])
    else ignored.push(key)
  }
  return { entries, ignored }
}

function parseObject(header: string): object | undefined {
  const parsed = parseJson(headerText(header))
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined
}

function warningOf(ignored: readonly string[]): string {
  const names = ignored.map((name) => name.slice(0, 64).replace(/[^\w.-]/g, '?'))
  return `tags ignored: ${names.join(', ')}`.slice(0, maxWarning)
}
