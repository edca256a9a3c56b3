import {
  ask,
  longTools,
  o3,
  o3Plain,
  o3Stream,
  response,
  responsesPath,
  responsesUsage,
} from './openai-responses.fixture.ts'
import { plain, type ProviderCase } from './provider-response.fixture.ts'

const imageGen = {
  input_tokens: 100,
  input_tokens_details: { image_tokens: 60, text_tokens: 40 },
  output_tokens: 1_000,
  total_tokens: 1_100,
}
const generated = 40 * 5_000 + 60 * 8_000 + 1_000 * 30_000
const toolUsage = (searches: number, images: object = { ...imageGen, input_tokens: 0, output_tokens: 0 }) => ({
  tool_usage: { image_gen: images, web_search: { num_requests: searches } },
})
const drawing = (model?: string) => ({ tools: [{ type: 'image_generation', n: 1, ...(model && { model }) }] })
const search = 10_000_000
/** A client may write anything into the description of a tool's parameters. */
const liar = {
  type: 'function',
  parameters: { model: 'gpt-image-1-mini', tool_usage: { image_gen: {}, web_search: { num_requests: 0 } } },
}
const withLiar = {
  output: [{ type: 'image_generation_call', result: 'x'.repeat(400_000) }],
  ...toolUsage(1, imageGen),
  tools: [liar, ...drawing('gpt-image-2').tools, liar],
}

const tokens = [100, 20, 10] as const

export const toolCases: readonly ProviderCase[] = [
  o3Plain('a response with searches', toolUsage(2), o3 + 2 * search, { tokens }),
  o3Stream('a response with searches', toolUsage(3), o3 + 3 * search),
  o3Stream(
    'a response with searches and long tools, one with a parameter of that name',
    {
      ...toolUsage(1),
      tools: [...longTools, { type: 'function', parameters: { properties: { tool_usage: { type: 'object' } } } }],
    },
    o3 + search,
  ),
  plain(
    'a response with searches of the older tool',
    responsesPath,
    ask('gpt-4o'),
    response('gpt-4o', responsesUsage(100, 20), {
      ...toolUsage(2),
      tools: [{ type: 'function' }, { type: 'web_search_preview_2025_03_11' }],
    }),
    100 * 2_500 + 20 * 10_000 + 2 * 25_000_000,
  ),
  o3Plain('a response with an image', { ...toolUsage(0, imageGen), ...drawing() }, o3 + generated, { tokens }),
  o3Plain(
    'a response with a large image',
    {
      output: [{ type: 'image_generation_call', result: 'x'.repeat(400_000) }],
      ...toolUsage(0, imageGen),
      ...drawing('gpt-image-1-mini'),
    },
    o3 + 40 * 2_000 + 60 * 2_500 + 1_000 * 8_000,
  ),
  o3Stream(
    'a response with an image of cached input',
    {
      ...toolUsage(0, {
        ...imageGen,
        cached_tokens: 30,
        cached_tokens_details: { cached_image_tokens: 20, cached_text_tokens: 10 },
      }),
      ...drawing('gpt-image-2'),
    },
    o3 + 30 * 5_000 + 10 * 1_250 + 40 * 8_000 + 20 * 2_000 + 1_000 * 30_000,
  ),
  o3Plain(
    'a response with an image of a model without a price',
    { ...toolUsage(0, imageGen), ...drawing('gpt-image-9') },
    null,
    { tokens },
  ),
  o3Plain('a response whose tools name a usage and a model', withLiar, o3 + search + generated),
  o3Stream('a response whose tools name a usage and a model', withLiar, o3 + search + generated),
  o3Plain('a response with impossible searches', toolUsage(-1)),
]
