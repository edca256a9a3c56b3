import { kib } from '#core/units.ts'
import { parseJson } from '#schemas/parse-json.ts'
import type { RequestBody } from '../request/body.ts'
import { findMembersInTurns, type Members } from '../request/json/find-members.ts'
import { fallbackNames, type Terms } from '../request/metadata.ts'

const names = [...fallbackNames, 'tools'] as const
type Name = (typeof names)[number]

/** Far longer than any list of models, or of tools: parsing a list blocks the event loop. */
const [longestList, longestTools] = [64 * kib, 512 * kib]

/** The price of each one is looked up, among an account's own patterns. */
const mostModels = 100

/**
 * The models that a request names in addition to its `model`: fallbacks, and those of the provider's own tools.
 * @param json a request body or a message of a WebSocket
 * @returns undefined if they can't be read with certainty
 */
export const otherModelsOf = async (json: Buffer): Promise<string[] | undefined> =>
  modelsIn(json, await findMembersInTurns(json, names, true), names)

/**
 * The models that a router may use instead of a request's `model`.
 * @returns undefined if they can't be read with certainty
 */
export function fallbackModelsOf(body: RequestBody, terms: Terms = {}): string[] | undefined {
  const named = fallbackNames.filter((name) => terms[name])
  return named.length > 0 && body && 'bytes' in body ? modelsIn(body.bytes, terms, named) : []
}

function modelsIn(json: Buffer, members: Members<Name> | undefined, searched: readonly Name[]): string[] | undefined {
  const models: string[] = []
  for (const name of searched) {
    const member = members?.[name]
    if (!member) continue
    const { from, to, count } = member
    if (count > 1 || to - from > (name === 'tools' ? longestTools : longestList)) return undefined
    const value = parseJson(json.toString('utf8', from, to))
    if (value === undefined) return undefined
    const list = name === 'providerOptions' ? modelsOfGateway(value) : value
    for (const item of [list ?? []].flat()) {
      const model = modelOf(item)
      if (model !== undefined) models.push(model)
      else if (name !== 'tools') return undefined
      if (models.length > mostModels) return undefined
    }
  }
  return models
}

/** `{"gateway":{"models":[…]}}` of Vercel. */
function modelsOfGateway(options: unknown): unknown {
  const { gateway } = Object(options) as { gateway?: unknown }
  return (Object(gateway) as { models?: unknown }).models
}

function modelOf(item: unknown): string | undefined {
  if (typeof item === 'string') return item
  const { model } = Object(item) as { model?: unknown }
  return typeof model === 'string' ? model : undefined
}
