import type { IncomingHttpHeaders } from 'node:http'
import { findEndpoint } from '#schemas/endpoints.ts'
import { longestModel } from '#schemas/secure-tokens.ts'
import type { RequestBody } from './body.ts'
import { readFormModel } from './form-fields.ts'
import { GatewayError } from './gateway-error.ts'
import { findMembers, findMembersInTurns, type Member, type Members } from './json/find-members.ts'
import { pauseBytes } from './json/visit-members.ts'
import { generatesContent, isInteraction, modelInPath, modelsInQuery, streamsEvents, type Target } from './target.ts'

/** JSON may escape each character as `\u` and four digits, plus two quotes. */
const longestModelBytes = longestModel * 6 + 2

const usageOption = Buffer.from('"stream_options":{"include_usage":true},')
const [openingBrace, quote, firstOfTrue] = [0x7b, 0x22, 0x74]

/** With these, routers such as OpenRouter, LiteLLM and Vercel's gateway are told what to try if the first model fails. */
export const fallbackNames = [
  'models',
  'fallbacks',
  'context_window_fallbacks',
  'context_window_fallback_dict',
  'content_policy_fallbacks',
  'providerOptions',
] as const

/** Members that determine how much a response can use, and whether that can be limited later. */
const termNames = [
  ...fallbackNames,
  'background',
  'background_options',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'n',
  'best_of',
  'service_tier',
  'speed',
  'tools',
  'max_tool_calls',
  'inputs',
  'previous_response_id',
  'conversation',
  'prompt',
] as const
export type Terms = Members<(typeof termNames)[number]>

const memberNames = ['model', 'agent', 'stream', 'stream_options', ...termNames] as const
type MetadataMembers = Members<(typeof memberNames)[number]>

export interface RequestMetadata {
  model: string | null
  isStream: boolean
  /** The body with `include_usage` added, for a stream whose client did not specify it. */
  bodyWithUsage: Buffer | undefined
  /** Positions in the body; undefined if it can't be read. */
  terms: Terms | undefined
  /** Whether it is Google's `generateContent`, whose terms and usage have other names. */
  isGoogle: boolean
  /** Whether it is an interaction of Google's, whose terms have the same names. */
  isInteraction: boolean
}

export const noMetadata: RequestMetadata = {
  model: null,
  isStream: false,
  bodyWithUsage: undefined,
  terms: undefined,
  isGoogle: false,
  isInteraction: false,
}

type ContentHeaders = Pick<IncomingHttpHeaders, 'content-type' | 'content-encoding'>

const jsonType = /^(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/
/** In other charsets, servers may find quotes in other places. */
const otherCharset = /charset(?!\s*=\s*"?(?:utf-?8|us-ascii|iso-8859-1)"?\s*(?:;|$))/

/**
 * Reads a JSON body or a multipart form in memory; of other bodies, only the terms are read, in case they are JSON.
 * @throws GatewayError when the model is named more than once: the provider may use another one
 */
export function readMetadata(
  body: RequestBody,
  headers: ContentHeaders,
  target: Target,
): RequestMetadata | Promise<RequestMetadata> {
  const read = metadataOfBody(body, headers, target)
  const model = modelInPath(target)
  if (model === undefined) return read
  const isGoogle = generatesContent(target)
  const withPath = (metadata: RequestMetadata) => ({
    ...metadata,
    model,
    isGoogle,
    isStream: isGoogle ? streamsEvents(target) : metadata.isStream,
  })
  return read instanceof Promise ? read.then(withPath) : withPath(read)
}

function metadataOfBody(
  body: RequestBody,
  { 'content-type': contentType = '', 'content-encoding': encoding = 'identity' }: ContentHeaders,
  target: Target,
): RequestMetadata | Promise<RequestMetadata> {
  const inQuery = modelsInQuery(target)
  if (inQuery.length > 1) throw new GatewayError('ambiguous_model')
  // Text can be valid in an encoding, too, and then name another model to a provider that decodes it.
  if (!body || !('bytes' in body) || encoding !== 'identity') return noMetadata
  const type = contentType.toLowerCase()
  if (type.startsWith('multipart/')) return metadataOfForm(body.bytes, contentType, inQuery[0])
  const json = body.bytes
  const isJson = jsonType.test(type) && !otherCharset.test(type)
  const toMetadata = (members: MetadataMembers | undefined) => {
    if (!members) return noMetadata
    return isJson ? metadataOf(json, members, target, inQuery[0]) : { ...noMetadata, terms: members }
  }
  return json.length > pauseBytes
    ? findMembersInTurns(json, memberNames, true).then(toMetadata)
    : toMetadata(findMembers(json, memberNames, true))
}

function metadataOfForm(form: Buffer, contentType: string, modelInQuery: string | undefined): RequestMetadata {
  const model = readFormModel(form, contentType)
  if (model !== null && (modelInQuery ?? model) !== model) throw new GatewayError('ambiguous_model')
  return { ...noMetadata, terms: {}, model }
}

function metadataOf(
  json: Buffer,
  members: MetadataMembers,
  target: Target,
  modelInQuery: string | undefined,
): RequestMetadata {
  const { model: member, stream, stream_options: options, agent } = members
  const model = member ? readModel(json, member) : null
  const isGoogleInteraction = isInteraction(target)
  // An agent has models of its own.
  if (isGoogleInteraction && agent && member) throw new GatewayError('ambiguous_model')
  if (member && (member.count > 1 || (modelInQuery ?? model) !== model)) throw new GatewayError('ambiguous_model')
  const isStream = stream !== undefined && json[stream.from] === firstOfTrue
  const addsUsage = isStream && options === undefined && findEndpoint(target.endpoint)?.streamUsage === 'on-request'
  const bodyWithUsage = addsUsage ? addUsageOption(json) : undefined
  return { model, isStream, bodyWithUsage, terms: members, isGoogle: false, isInteraction: isGoogleInteraction }
}

function readModel(json: Buffer, { from, to }: Member): string | null {
  if (json[from] !== quote || to - from > longestModelBytes) return null
  const model = String(JSON.parse(json.toString('utf8', from, to)))
  return model.length > longestModel ? null : model
}

/** Inserted as the first member, so that the client's own bytes are unchanged. */
function addUsageOption(body: Buffer): Buffer {
  const at = body.indexOf(openingBrace) + 1
  return Buffer.concat([body.subarray(0, at), usageOption, body.subarray(at)])
}
