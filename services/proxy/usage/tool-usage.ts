import type { Member, Members } from '../request/json/find-members.ts'
import { count, maxUsageBytes, objectOf, readTokenUsage, type TokenUsage, type ToolUsage } from './token-usage.ts'

const imageModelName = /"model"\s*:\s*"((?:chat)?gpt-image-[^"\\]{1,100})"/

/** The model of OpenAI's tool, unless the request names another one. */
const usualImageModel = 'gpt-image-2'

/** @param text the tools of a request */
export const imageModelIn = (text: string): string => imageModelName.exec(text)?.[1] ?? usualImageModel

/** What the definitions of a response's tools say of their prices. */
interface Tools {
  arePreviews: boolean
  imageModel: string
}

/** @param members of a response of the Responses API: its tools may have parameters with the same names */
export function toolUsageOf(json: Buffer, members: Members<'tool_usage' | 'tools'>): ToolUsage | undefined {
  const { tool_usage: member, tools } = members
  if (!member || member.to - member.from > maxUsageBytes) return undefined
  return readToolUsage(objectOf(parse(json, member)), () => toolsOf(tools && parse(json, tools)))
}

const parse = (json: Buffer, { from, to }: Member): unknown => JSON.parse(json.toString('utf8', from, to))

function toolsOf(list: unknown): Tools {
  const tools = Array.isArray(list) ? list.map(objectOf) : []
  const model = tools.find(({ type }) => type === 'image_generation')?.['model']
  return {
    arePreviews: tools.some(({ type }) => String(type).startsWith('web_search_preview')),
    imageModel: typeof model === 'string' ? model : usualImageModel,
  }
}

function readToolUsage(object: Record<string, unknown>, readTools: () => Tools): ToolUsage {
  const searches = count(objectOf(object['web_search'])['num_requests'])
  const images = readImageTokens(objectOf(object['image_gen']))
  const hasImages = images !== undefined && images.promptTokens + images.completionTokens > 0
  if (!(searches > 0) && !hasImages) return {}
  const { arePreviews, imageModel } = readTools()
  return {
    ...(searches > 0 && { [arePreviews ? 'previewSearches' : 'webSearches']: searches }),
    ...(hasImages && { otherModels: [{ ...images, model: imageModel }] }),
  }
}

/** Unlike in a response of the Images API, cached tokens are not among the details of the input. */
function readImageTokens(images: Record<string, unknown>): TokenUsage | undefined {
  const { cached_tokens, cached_tokens_details: cached } = images
  const { cached_image_tokens: image_tokens } = objectOf(cached)
  const input = { ...objectOf(images['input_tokens_details']), cached_tokens, cached_tokens_details: { image_tokens } }
  return readTokenUsage({ ...images, input_tokens_details: input })
}
