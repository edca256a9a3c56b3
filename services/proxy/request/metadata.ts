import { findEndpoint } from '#schemas/endpoints.ts'
import { longestModel } from '#schemas/secure-tokens.ts'
import { findMembers, findMembersInTurns, type Member, type Members } from './json/find-members.ts'
import { pauseBytes } from './json/visit-members.ts'
import type { RequestBody } from './body.ts'
import { modelsInQuery, type Target } from './target.ts'

/** In JSON each of them may be written as `\u` with four digits, between two quotes. */
const longestModelBytes = longestModel * 6 + 2

const firstMember = Buffer.from('"stream_options":{"include_usage":true},')
const openingBrace = '{'.charCodeAt(0)
const quote = '"'.charCodeAt(0)
const firstOfTrue = 't'.charCodeAt(0)

const telling = ['model', 'stream', 'stream_options'] as const

/** What the gateway understands of a request; all of it optional: the provider decides. */
export interface RequestMetadata {
  model: string | null
  isStream: boolean
  /** The body with a wish for usage in it, where the client did not ask for that itself. */
  bodyWithUsage: Buffer | undefined
}

/** Of a request that is not, or can't be, understood. */
export const noMetadata: RequestMetadata = { model: null, isStream: false, bodyWithUsage: undefined }

/** The provider may read another model than the gateway did. */
export class AmbiguousModelError extends Error {
  override readonly name = 'AmbiguousModelError'
}

/**
 * Reads a JSON body. Anything else is passed on as it is, and so is what is too large to be kept.
 * @throws AmbiguousModelError when the model is named more than once
 */
export function readMetadata(
  body: RequestBody,
  contentType: string | undefined,
  target: Target,
): RequestMetadata | Promise<RequestMetadata> {
  const inQuery = modelsInQuery(target)
  if (inQuery.length > 1) throw new AmbiguousModelError()
  if (!body || !('bytes' in body) || !contentType?.toLowerCase().includes('json')) return noMetadata
  const json = body.bytes
  const toMetadata = (members: Members<(typeof telling)[number]> | undefined) =>
    members ? metadataOf(json, members, target, inQuery[0]) : noMetadata
  return json.length > pauseBytes
    ? findMembersInTurns(json, telling).then(toMetadata)
    : toMetadata(findMembers(json, telling))
}

function metadataOf(
  json: Buffer,
  { model, stream, stream_options: options }: Members<(typeof telling)[number]>,
  target: Target,
  modelInQuery: string | undefined,
): RequestMetadata {
  const named = model ? readModel(json, model) : null
  const isNamedTwice = model !== undefined && (model.count > 1 || (modelInQuery ?? named) !== named)
  if (isNamedTwice) throw new AmbiguousModelError()
  const isStream = stream !== undefined && json[stream.from] === firstOfTrue
  const asks = isStream && options === undefined && findEndpoint(target.endpoint)?.streamUsage === 'on-request'
  return {
    model: named,
    isStream,
    bodyWithUsage: asks ? askForUsage(json) : undefined,
  }
}

function readModel(json: Buffer, { from, to }: Member): string | null {
  if (json[from] !== quote || to - from > longestModelBytes) return null
  const model = String(JSON.parse(json.toString('utf8', from, to)))
  return model.length > longestModel ? null : model
}

/** One member more, in front of the others: everything the client wrote stays as it wrote it. */
function askForUsage(body: Buffer): Buffer {
  const at = body.indexOf(openingBrace) + 1
  return Buffer.concat([body.subarray(0, at), firstMember, body.subarray(at)])
}
