import { findMembers, type Member } from '../request/json/find-members.ts'
import { readName } from '../usage/response-usage.ts'

const [quote, openingBrace] = [0x22, 0x7b]

/** Limits the time that hostile text can cost. */
const maxCandidates = 100

const namedEvent = /^event: ?error\r?$/m
/** Lines that may have an error among their members. In text, its quotes would be escaped. */
const candidates = /^.*(?:"error"\s*:\s*["{]|"type"\s*:\s*"error").*/gm

/** Whether a complete response reports an error despite its status: in its JSON, or in an event or a line of a stream. */
export function reportsError(body: Buffer): boolean {
  if (!body.includes('error')) return false
  const text = body.toString('latin1')
  if (namedEvent.test(text)) return true
  const lines = text.match(candidates)
  if (!lines) return false
  return isError(body) ?? (lines.length > maxCandidates || lines.some(isErrorLine))
}

const isErrorLine = (line: string) => isError(Buffer.from(line.replace(/^data: ?/, ''), 'latin1'))

/** @returns undefined for anything but a JSON object */
function isError(json: Buffer): boolean | undefined {
  const members = findMembers(json, ['error', 'type', 'response'])
  if (!members) return undefined
  const { error, type, response } = members
  if (isSet(json, error) || readName(json, type) === 'error') return true
  // The last event of a response contains all of it.
  const inner = response && json.subarray(response.from, response.to)
  return inner !== undefined && isSet(inner, findMembers(inner, ['error'])?.error)
}

const isSet = (json: Buffer, error: Member | undefined): boolean =>
  error !== undefined && (json[error.from] === openingBrace || json[error.from] === quote)
