import fp from 'fastify-plugin'
import { Problem } from '#core/problem.ts'

/** Accepts only JSON in UTF-8, and rejects `__proto__`. */
export const jsonBody = fp(
  async (app) => {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const parse = app.getDefaultJsonParser('error', 'error')
    app.removeAllContentTypeParsers()
    app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      // Many clients send the content type with every call, even if it has no body.
      if (body.length === 0) return done(null, null)
      let text: string
      try {
        text = decoder.decode(body)
      } catch (error) {
        return done(new Problem('invalid-request', { detail: 'The body is not UTF-8.', cause: error }))
      }
      return parse(request, text, done)
    })
  },
  { name: 'json-body', dependencies: ['error-handler'] },
)
