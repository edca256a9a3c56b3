import fp from 'fastify-plugin'
import { z } from 'zod'

/**
 * Rejects unknown fields of bodies, because a misspelt one would have no effect. A call that changes an object (200)
 * ignores other fields of its response instead, so that clients can send an object back as they read it.
 */
export const knownFields = fp(
  async (app) => {
    app.addHook('onRoute', ({ schema }) => {
      if (!(schema?.body instanceof z.ZodObject)) return
      const { body } = schema
      const ignored = fieldsOf(Object(schema.response)[200]).filter((field) => !(field in body.shape))
      schema.body = z.preprocess((sent) => withoutFields(sent, ignored), body.strict())
    })
  },
  { name: 'known-fields', dependencies: ['error-handler'] },
)

const fieldsOf = (schema: unknown): string[] => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : [])

function withoutFields(sent: unknown, names: readonly string[]): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)))
}
