import { deployments, interactionsPath, publisher } from '#schemas/endpoints.ts'
import { decodedIfValid } from '#schemas/percent-encoding.ts'
import { product } from '#schemas/product.ts'
import { isProxyPath } from '#schemas/proxy-path.ts'

export interface Target {
  /** The path without its query. Google's `/v1beta/…` is read as `/v1/…`, so that each rule holds for both. */
  endpoint: string
  pathAndQuery: string
  /** `/v1beta`, if the client sent that. */
  sentVersion?: string | undefined
}

const version = '/v1'
const googleVersion = '/v1beta'
const googlePrefix = `${googleVersion}/`

export function upstreamPathOf({ basePath }: { basePath: string }, { pathAndQuery, sentVersion }: Target): string {
  const path = basePath === version ? (sentVersion ?? version) : basePath
  return path === version ? pathAndQuery : path + pathAndQuery.slice(version.length)
}

/** The path without its query, as shown in the log. */
export const sentEndpointOf = ({ endpoint, sentVersion }: Target): string =>
  sentVersion === undefined ? endpoint : sentVersion + endpoint.slice(version.length)

/**
 * @param url including the proxy's prefix, which must be spelled exactly
 * @returns undefined when the path is ambiguous
 */
export function parseTarget(url: string): Target | undefined {
  if (!url.startsWith(product.proxyPath) || url.includes('#')) return undefined
  const sent = url.slice(product.proxyPath.length)
  const sentVersion = sent.startsWith(googlePrefix) ? googleVersion : undefined
  const pathAndQuery = sentVersion === undefined ? sent : version + sent.slice(sentVersion.length)
  const queryAt = pathAndQuery.indexOf('?')
  const endpoint = queryAt === -1 ? pathAndQuery : pathAndQuery.slice(0, queryAt)
  return isProxyPath(endpoint) ? { endpoint, pathAndQuery, sentVersion } : undefined
}

const deploymentCollection = RegExp(`^${deployments}$`, 'i')
/** Google's syntax, `/v1/models/gemini-2.5-pro:generateContent`, at Vertex AI below a publisher. */
const googleCall = RegExp(`^/v1/${publisher}(?:models|tunedmodels)/(.*):(.*)$`, 'i')
const contentMethod = /^(?:stream)?generateContent$/i

/** The model named in a path, which takes precedence over the body's. Providers decode paths, and may ignore case. */
export function modelInPath({ endpoint }: Target): string | undefined {
  const nameAt = endpoint.indexOf('/', version.length + 1) + 1
  if (nameAt === 0) return undefined
  const collection = decodedIfValid(endpoint.slice(version.length + 1, nameAt - 1))
  if (deploymentCollection.test(collection)) {
    const end = endpoint.indexOf('/', nameAt)
    return end === -1 ? undefined : decodedIfValid(endpoint.slice(nameAt, end))
  }
  return readGoogleCall(endpoint)?.model
}

function readGoogleCall(endpoint: string): { model: string; method: string } | undefined {
  if (!/[:%]/.test(endpoint)) return undefined
  const [, model, method] = googleCall.exec(decodedIfValid(endpoint)) ?? []
  return model === undefined || method === undefined ? undefined : { model, method }
}

/** Whether a request has the terms, and its response the usage, of Google's `generateContent`, streamed or not. */
export const generatesContent = ({ endpoint }: Target): boolean =>
  contentMethod.test(readGoogleCall(endpoint)?.method ?? '')

export const isInteraction = ({ endpoint }: Target): boolean => endpoint === interactionsPath

/** Whether a stream of Google's is one of events. Otherwise it is a list, which can't be ended before its end. */
export function streamsEvents({ endpoint, pathAndQuery }: Target): boolean {
  const formats = [...new URLSearchParams(pathAndQuery.slice(endpoint.length + 1))].filter(([name]) =>
    /alt$/i.test(name),
  )
  return /:stream\w+$/i.test(decodedIfValid(endpoint)) && formats.length === 1 && formats[0]?.[1] === 'sse'
}

/** Every model that a server could read from a query: they differ in separators, letter case and lists (`model[]`). */
export function modelsInQuery({ endpoint, pathAndQuery }: Target): string[] {
  const query = pathAndQuery.slice(endpoint.length + 1)
  if (query === '') return []
  const models = readModels(query)
  if (!query.includes(';')) return models
  const others = readModels(query.replaceAll(';', '&'))
  return String(models) === String(others) ? models : [...models, ...others]
}

const readModels = (query: string): string[] =>
  [...new URLSearchParams(query)].filter(([name]) => /^\s*model\s*(?:\[|$)/i.test(name)).map(([, model]) => model)
