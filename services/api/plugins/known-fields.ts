import fp from 'fastify-plugin'
import { z } from 'zod'

/**
 * Rejects unknown fields of bodies, because a misspelt one would have no effect. Those that the response of the call
 * contains are ignored instead, so that clients can change an object and send it back as a whole.
 */
export const knownFields = fp(
  async (app) => {
    app.addHook('onRoute', ({ schema }) => {
      if (!(schema?.body instanceof z.ZodObject)) return
      const { body } = schema
      const ignored = responseFields(schema.response).filter((field) => !(field in body.shape))
      schema.body = z.preprocess((sent) => withoutFields(sent, ignored), body.strict())
    })
  },
  { name: 'known-fields', dependencies: ['error-handler'] },
)

const responseFields = (responses: unknown): string[] =>
  Object.values(Object(responses)).flatMap((response) =>
    response instanceof z.ZodObject ? Object.keys(response.shape) : [],
  )

function withoutFields(sent: unknown, names: readonly string[]): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)))
}
