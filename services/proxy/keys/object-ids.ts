import { objectCollections, objectReferences } from '#schemas/endpoints.ts'
import { decodedIfValid } from '#schemas/percent-encoding.ts'
import { kib } from '#core/units.ts'
import type { RequestBody } from '../request/body.ts'

/** Only the beginning and the end of a longer body are searched. */
const searchedBytes = 128 * kib
const maxReferences = 4

const paths = objectCollections.map(({ path }) => path)
const collectionPath = RegExp(`^(${paths.join('|')})(?:/([\\w.:-]{1,128}))?(?:/|$)`)

const belowCollection = RegExp(`^(?:${paths.join('|')})/([^/]+)`, 'i')

/** Plain words are operations, as in `/v1/threads/runs`. */
const isId = (name: string): boolean => !/^[a-z_]+$/.test(name)

/** Matches members with these names whose value is an id, or an object or list that begins with one. */
const members = (names: readonly string[]) =>
  RegExp(String.raw`"(${names.join('|')})"\s*:\s*(?:\[\s*|\{\s*"id"\s*:\s*)?"([\w.:-]{1,128})"`, 'g')

const references = members(objectReferences)
const optional = new Set(objectCollections.filter(({ isOptional }) => isOptional).map(({ path }) => path))
const madeBy = new Map(objectCollections.map(({ path, alsoMakes = [] }) => [path, members(['id', ...alsoMakes])]))

/** The id of the stored object in a path. */
export function objectIdInPath(endpoint: string): string | undefined {
  const id = collectionPath.exec(endpoint)?.[2]
  return id !== undefined && isId(id) ? id : undefined
}

/** Whether a provider may read a path as that of a stored object: providers decode paths, and may ignore case. */
export function leadsToObject(endpoint: string): boolean {
  const name = belowCollection.exec(decodedIfValid(endpoint))?.[1]
  return name !== undefined && isId(name)
}

/** The ids of stored objects that a request refers to. */
export function objectIdsOf(endpoint: string, body: RequestBody, contentType: string | undefined): string[] {
  const inPath = objectIdInPath(endpoint)
  const ids = inPath === undefined ? [] : [inPath]
  if (!body || !('bytes' in body) || !contentType?.includes('json')) return ids
  for (const text of searched(body.bytes)) {
    for (const [, , id = ''] of text.matchAll(references)) {
      if (ids.length >= maxReferences) return ids
      ids.push(id)
    }
  }
  return ids
}

const searched = (bytes: Buffer): string[] =>
  bytes.length <= 2 * searchedBytes
    ? [bytes.toString('latin1')]
    : [bytes.toString('latin1', 0, searchedBytes), bytes.toString('latin1', bytes.length - searchedBytes)]

/** Pattern for the objects that a response creates; undefined if the request creates none. */
export function madeObjectsPattern(endpoint: string, body: RequestBody): RegExp | undefined {
  const path = collectionPath.exec(endpoint)?.[1] ?? ''
  return optional.has(path) && !mayStore(body) ? undefined : madeBy.get(path)
}

/** A false positive is harmless: an unneeded id is remembered. */
const mayStore = (body: RequestBody): boolean =>
  body !== undefined &&
  'bytes' in body &&
  body.bytes.includes('"store"') &&
  searched(body.bytes).some((text) => /"store"\s*:\s*true/.test(text))

export interface MadeObjects {
  /** The first `id` member; only that one is the object's own. */
  ownId: string | undefined
  otherIds: string[]
}

export function findMadeObjects(text: string, pattern: RegExp): MadeObjects {
  let ownId: string | undefined
  const otherIds = new Set<string>()
  for (const [, name, id = ''] of text.matchAll(pattern)) {
    if (name === 'id') ownId ??= id
    else otherIds.add(id)
  }
  return { ownId, otherIds: [...otherIds] }
}
