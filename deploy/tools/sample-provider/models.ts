import type { FastifyInstance } from 'fastify'
import { ProviderError } from './errors.ts'
import { json } from './response.ts'
import { route } from './route.ts'
import { sampleCreated } from './text/text.ts'

const listed =
  'gpt-5 gpt-5-mini gpt-5-nano gpt-4.1 gpt-4.1-mini gpt-4o gpt-4o-mini gpt-4o-transcribe gpt-4o-mini-tts gpt-3.5-turbo gpt-3.5-turbo-instruct o1 o3 o3-mini o4-mini text-embedding-3-small text-embedding-3-large text-embedding-ada-002 gpt-image-1 dall-e-2 dall-e-3 tts-1 tts-1-hd whisper-1 omni-moderation-latest davinci-002 babbage-002'.split(
    ' ',
  )

const families = /^(gpt-|chatgpt-|o[134](-|$)|text-|omni-moderation-|dall-e-|tts-|whisper-|davinci-|babbage-|ft:)/

/** @throws ProviderError OpenAI's 404 unless the model is of a known family */
export function requireModel(model: string): void {
  if (!families.test(model))
    throw new ProviderError(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
      code: 'model_not_found',
    })
}

const describe = (id: string) => ({ id, object: 'model', created: sampleCreated, owned_by: 'system' })

export function modelRoutes(app: FastifyInstance): void {
  route(app, 'GET', '/v1/models', () => json({ object: 'list', data: listed.map(describe) }))
  route(app, 'GET', '/v1/models/:id', ({ id }) => {
    requireModel(id)
    return json(describe(id))
  })
}
