import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ProviderEndpoint } from '#schemas/endpoints.ts'
import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'
import { hasBudget } from '../admission/token-state.ts'
import type { Account } from '../auth/account.ts'
import { otherModelsOf } from '../auth/other-models.ts'
import { isModelAllowed } from '../auth/token-restrictions.ts'
import { findMembers } from '../request/json/find-members.ts'
import { visitMembers } from '../request/json/visit-members.ts'
import { readName } from '../usage/response-usage.ts'

/** Objects in which providers look for a model: `session.audio.input.transcription.model` is the deepest. */
const parents = new Set([
  'session',
  'response',
  'audio',
  'input',
  'transcription',
  'input_audio_transcription',
  'delegation',
  'responses',
  'decisions',
])
const deepest = 4

/** In bytes; every character of a name may be escaped. */
const longestName = 200

interface Range {
  from: number
  to: number
}

/** @returns why a message is not allowed; undefined if it is */
export type CheckMessage = (message: Buffer) => Promise<ProxyErrorCode | undefined>

/** Type of the messages that have to name a model, because the handshake did not. */
type Naming = ProviderEndpoint['webSocketModelIn']

/** @returns undefined if every message is allowed */
export function messageCheckOf(account: Account, naming: Naming, isBilledByTime: boolean): CheckMessage | undefined {
  const needsPrice = hasBudget(account) && (naming !== undefined || isBilledByTime)
  if (!account.models && !needsPrice) return undefined
  const mayBeUsed = (model: string | null) => isPriced(account, model, isBilledByTime)
  return async (message) => {
    if (account.models && !(await namesOnly((model) => isModelAllowed(account, model), message, naming)))
      return 'model_not_allowed'
    if (needsPrice && !(await namesOnly(mayBeUsed, message, naming))) return 'model_not_priced'
    return undefined
  }
}

const anyUsage = { promptTokens: 1, maxCompletionTokens: 1 }
const anyTime = { ...anyUsage, maxSeconds: 1 }

/** Whether a session can be metered with a model. @param byTime whether its price may be by time */
export const isPriced = ({ prices }: Account, model: string | null, byTime: boolean): boolean =>
  model !== null && prices.upperCostNanoUsd(model, byTime ? anyTime : anyUsage) !== null

/** @param model null if it can't be read */
type MayUseModel = (model: string | null) => boolean

/** @returns the model that a request for a response names; undefined if the message requests none */
export function requestedModelOf(message: Buffer): string | null | undefined {
  const members = findMembers(message, ['type', 'model'])
  const type = members?.type
  const name = type?.count === 1 ? readName(message, type) : undefined
  return name === undefined || name === 'response.create' ? readText(message, members?.model) : undefined
}

/**
 * Whether a client's message names only allowed models. Anything ambiguous is not allowed: a message that is not a JSON
 * object, or that repeats a name in any letter case.
 */
async function namesOnly(mayUse: MayUseModel, json: Buffer, naming: Naming): Promise<boolean> {
  const members = await readMembers(json)
  if (!members) return false
  if (naming && readText(json, members.get('type')) === naming) {
    const session = members.get('session')
    const inSession = session && (await readMembers(json.subarray(session.from, session.to)))
    const named = naming === 'session.start' ? inSession : members
    if (!named?.has('model')) return false
  }
  return areModelsAllowed(mayUse, json, members, 0)
}

async function areModelsAllowed(
  mayUse: MayUseModel,
  json: Buffer,
  members: ReadonlyMap<string, Range>,
  depth: number,
): Promise<boolean> {
  const model = members.get('model')
  if (model && !mayUse(readText(json, model))) return false
  if (!(await otherModelsOf(json))?.every(mayUse)) return false
  if (depth === deepest) return true
  for (const [name, { from, to }] of members) {
    if (!parents.has(name) || json[from] !== openingBrace) continue
    const object = json.subarray(from, to)
    const inner = await readMembers(object)
    if (!inner || !(await areModelsAllowed(mayUse, object, inner, depth + 1))) return false
  }
  return true
}

const openingBrace = 0x7b

/** @returns undefined for anything but an object without repeated members of interest */
async function readMembers(json: Buffer): Promise<Map<string, Range> | undefined> {
  const members = new Map<string, Range>()
  let isAmbiguous = false
  const walk = visitMembers(json, (nameAt, nameEnd, from, to) => {
    if (nameEnd - nameAt > longestName) return
    const name = String(JSON.parse(json.toString('utf8', nameAt, nameEnd))).toLowerCase()
    if (name !== 'type' && name !== 'model' && !parents.has(name)) return
    isAmbiguous ||= members.has(name)
    members.set(name, { from, to })
  })
  let step = walk.next()
  for (; !step.done; step = walk.next()) await nextTurn()
  return step.value && !isAmbiguous ? members : undefined
}

function readText(json: Buffer, range: Range | undefined): string | null {
  if (!range) return null
  const value: unknown = JSON.parse(json.toString('utf8', range.from, range.to))
  return typeof value === 'string' ? value : null
}
