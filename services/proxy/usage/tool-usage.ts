import { count, objectOf, parseUsageObject, readTokenUsage, type TokenUsage, type ToolUsage } from './token-usage.ts'

/** Within strings, quotes are escaped. */
const name = '"tool_usage"'
const opening = /^"tool_usage"\s*:\s*\{/
const previewSearch = /"type"\s*:\s*"web_search_preview/
const imageModel = /"model"\s*:\s*"((?:chat)?gpt-image-[^"\\]{1,100})"/

/** Limits the time that hostile text can cost. */
const maxCandidates = 8

/** The model of OpenAI's tool, unless the request names another one. */
const usualImageModel = 'gpt-image-2'

/** @param text contains the tools of a request or response */
export const imageModelIn = (text: string): string => imageModel.exec(text)?.[1] ?? usualImageModel

export const namesToolUsage = (json: Buffer): boolean => json.lastIndexOf(name) !== -1

/**
 * Finds the last `tool_usage` of the Responses API in a response, or in a part of one that may contain its tools too:
 * they name the model of the images and the kind of search, and may have a parameter with the same name.
 */
export function findToolUsage(text: string): ToolUsage | undefined {
  let at = text.lastIndexOf(name)
  for (let candidates = 0; at !== -1 && candidates < maxCandidates; candidates += 1) {
    const start = opening.exec(text.slice(at, at + 32))
    const object = objectOf(start && parseUsageObject(text, at + start[0].length - 1))
    if ('web_search' in object || 'image_gen' in object) return readToolUsage(object, text)
    at = at === 0 ? -1 : text.lastIndexOf(name, at - 1)
  }
  return undefined
}

function readToolUsage(object: Record<string, unknown>, text: string): ToolUsage {
  const searches = count(objectOf(object['web_search'])['num_requests'])
  const images = readImageTokens(objectOf(object['image_gen']))
  return {
    ...(searches > 0 && { [previewSearch.test(text) ? 'previewSearches' : 'webSearches']: searches }),
    ...(images &&
      images.promptTokens + images.completionTokens > 0 && {
        otherModels: [{ ...images, model: imageModelIn(text) }],
      }),
  }
}

/** Unlike in a response of the Images API, cached tokens are not among the details of the input. */
function readImageTokens(images: Record<string, unknown>): TokenUsage | undefined {
  const { cached_tokens, cached_tokens_details: cached } = images
  const { cached_image_tokens: image_tokens } = objectOf(cached)
  const input = { ...objectOf(images['input_tokens_details']), cached_tokens, cached_tokens_details: { image_tokens } }
  return readTokenUsage({ ...images, input_tokens_details: input })
}
