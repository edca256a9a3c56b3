import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { binary, json, type Answer } from '#tools/sample-provider/answer.ts'
import { ProviderError } from '#tools/sample-provider/errors.ts'
import { requireModel } from '#tools/sample-provider/models.ts'
import { solidPng } from './png.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'
import { countTokens, hash, sampleCreated } from '#tools/sample-provider/text/text.ts'

const Size = z.string().regex(/^(auto|[1-9]\d{1,3}x[1-9]\d{1,3})$/, 'expected a size such as 1024x1024')

const ImageRequest = z.looseObject({
  prompt: z.string(),
  model: z.string().nullish(),
  n: z.number().int().min(1).max(10).nullish(),
  size: Size.nullish(),
  response_format: z.enum(['url', 'b64_json']).nullish(),
})

const defaultSize = '1024x1024'

const paint = (size: string, color: number): Buffer => {
  const [width = 1_024, height = 1_024] = size.split('x').map(Number)
  return solidPng(width, height, color)
}

const answerImage = (input: unknown, origin: string): Answer => {
  const { prompt, model: named, n, size: asked, response_format: format } = parseBody(ImageRequest, input)
  const model = named ?? 'dall-e-2'
  requireModel(model)
  const size = !asked || asked === 'auto' ? defaultSize : asked
  // Only DALL·E answers with links; the later models always send the image itself.
  const isDallE = model.startsWith('dall-e-')
  const data = Array.from({ length: n ?? 1 }, (_, variant) => {
    const color = hash(prompt, variant) & 0xffffff
    const revised = model === 'dall-e-3' ? { revised_prompt: prompt } : {}
    if (!isDallE || format === 'b64_json') return { ...revised, b64_json: paint(size, color).toString('base64') }
    return { ...revised, url: `${origin}/images/${size}/${color.toString(16).padStart(6, '0')}.png` }
  })
  if (isDallE) return json({ created: sampleCreated, data })

  const inputTokens = countTokens(prompt)
  const outputTokens = 272 * data.length
  return json({
    created: sampleCreated,
    background: 'opaque',
    data,
    output_format: 'png',
    quality: 'low',
    size,
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { image_tokens: 0, text_tokens: inputTokens },
      output_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
  })
}

export const imageRoutes = (app: FastifyInstance): void => {
  route(app, 'POST', '/v1/images/generations', ({ body, request }) => answerImage(body, `http://${request.host}`))

  // What the links point to: OpenAI's are open to everyone who has them, too.
  route(app, 'GET', '/images/:size/:file', ({ params: { size = '', file = '' } }) => {
    const [, color] = /^([0-9a-f]{6})\.png$/.exec(file) ?? []
    if (color === undefined || size === 'auto' || !Size.safeParse(size).success) {
      throw new ProviderError(404, `No such image: ${size}/${file}`)
    }
    return binary(paint(size, Number.parseInt(color, 16)), 'image/png')
  })
}
