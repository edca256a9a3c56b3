import { parseJson } from '#schemas/parse-json.ts'
import { findMembersInTurns } from '../request/json/find-members.ts'

/** With all but the tools, routers such as OpenRouter and LiteLLM are told what else to try. */
const names = [
  'models',
  'fallbacks',
  'context_window_fallbacks',
  'context_window_fallback_dict',
  'content_policy_fallbacks',
  'tools',
] as const

/**
 * The models that a request names in addition to its `model`: fallbacks, and those of the provider's own tools.
 * @param json a request body or a message of a WebSocket
 * @returns undefined if they can't be read with certainty
 */
export async function otherModelsOf(json: Buffer): Promise<string[] | undefined> {
  const members = await findMembersInTurns(json, names)
  const models: string[] = []
  for (const name of names) {
    const member = members?.[name]
    if (!member) continue
    const value = parseJson(json.toString('utf8', member.from, member.to))
    if (member.count > 1 || value === undefined) return undefined
    for (const item of [value ?? []].flat()) {
      const model = modelOf(item)
      if (model !== undefined) models.push(model)
      else if (name !== 'tools') return undefined
    }
  }
  return models
}

function modelOf(item: unknown): string | undefined {
  if (typeof item === 'string') return item
  const { model } = Object(item) as { model?: unknown }
  return typeof model === 'string' ? model : undefined
}
