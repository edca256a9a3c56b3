import { BlockList, isIP } from 'node:net'
import { deployments, publisher } from '#schemas/endpoints.ts'
import { decodedIfValid } from '#schemas/percent-encoding.ts'
import { modelInPath, type Target } from '../request/target.ts'
import type { Account } from './account.ts'

export function createAddressList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [net = '', prefix] = entry.split('/')
    const family = isIP(net) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(net, family)
    else list.addSubnet(net, Number(prefix), family)
  }
  return list
}

/** @param address may be an IPv4-mapped IPv6 address (`::ffff:…`) */
export function isAddressAllowed({ addresses }: Account, address: string | undefined): boolean {
  if (addresses === null) return true
  const plain = address?.replace(/^::ffff:(?=\d+\.)/, '') ?? ''
  const family = isIP(plain)
  return family !== 0 && addresses.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}

export const isModelAllowed = ({ models }: Account, model: string | null): boolean =>
  models === null || (model !== null && models.includes(model))

/**
 * Paths closed to model-restricted tokens: batches and agents, which name models outside the request's `model`, and chat
 * completions stored by a deployment, whose creating tokens are not recorded.
 */
const closedPath =
  /^\/v1\/(?:(?:deployments|engines)\/[^/]+\/chat\/completions\/|(?:messages\/)?batches\/?$|agents(?:\/|$))|:(?:batchGenerateContent|asyncBatchEmbedContent)$/i

/** Providers decode paths, and may ignore case. */
export const isClosed = ({ endpoint }: Target): boolean => closedPath.test(decodedIfValid(endpoint))

const modelCollection = RegExp(`^/v1/(?:${publisher}(?:models|tunedmodels)|${deployments})/`, 'i')

/** Whether a path names a model in an unknown way, such as Replicate's `/v1/models/{owner}/{name}/predictions`. */
export const hidesModel = (target: Target): boolean =>
  modelCollection.test(decodedIfValid(target.endpoint)) && modelInPath(target) === undefined

/** Whether a token is restricted in anything but time. */
const isRestricted = (account: Account): boolean =>
  account.models !== null ||
  account.addresses !== null ||
  account.requestsPerMinute !== null ||
  account.tokensPerMinute !== null ||
  account.maxConcurrentRequests !== null ||
  account.dailyBudgetNanoUsd !== null ||
  account.monthlyBudgetNanoUsd !== null

/** OpenAI's sessions over WebRTC or SIP, and the keys for browsers that open one. */
const directSession =
  /^\/v1\/(?:realtime\w*|live|chatkit)\/(?:.+\/)?(?:client_secrets|(?:transcription_)?sessions|calls)(?:\/|$)/i

/** Whether a restricted token asks for a connection to the provider that bypasses the gateway, and so its limits. */
export const bypassesGateway = (account: Account, method: string | undefined, { endpoint }: Target): boolean =>
  isRestricted(account) && method === 'POST' && directSession.test(decodedIfValid(endpoint))

/** Model-restricted tokens see this list without other models. */
export const isModelList = (method: string | undefined, { endpoint }: Target): boolean =>
  method === 'GET' && endpoint === '/v1/models'

const lookupPrefix = '/v1/models/'

/** Whether a model-restricted token may send a request that names no model in its body. */
export function needsNoModel({ models }: Account, method: string | undefined, target: Target): boolean {
  const { endpoint } = target
  if (method === 'POST') return endpoint === '/v1/files'
  if (isModelList(method, target)) return true
  if (method !== 'GET' || !endpoint.startsWith(lookupPrefix)) return false
  return (
    models?.some((model) => [model, encodeURIComponent(model)].includes(endpoint.slice(lookupPrefix.length))) === true
  )
}
