import { z } from 'zod'
import { Session } from '#schemas/sessions.ts'
import { Problem } from '#core/problem.ts'
import type { SessionStore } from '#store/postgres/sign-in/sessions.ts'
import { auditSourceOf } from '../../sign-in/audit-source.ts'
import { IdParams } from '../id-params.ts'
import { signedInRoutes } from '../../plugins/session.ts'

interface SessionRouteOptions {
  sessions: SessionStore
}

/** Where an account is signed in, and how to end that. */
export const sessionRoutes = signedInRoutes<SessionRouteOptions>(async (app, { sessions }) => {
  app.get(
    '/api/user/sessions',
    { schema: { summary: 'Where the account is signed in', response: { 200: z.array(Session) } } },
    async ({ user, sessionId }): Promise<Session[]> => {
      const rows = await sessions.list(user.id)
      return rows.map((row) => ({
        ...row,
        createdAt: row.createdAt.toISOString(),
        lastSeenAt: row.lastSeenAt.toISOString(),
        expiresAt: row.expiresAt.toISOString(),
        current: row.id === sessionId,
      }))
    },
  )

  app.delete(
    '/api/user/sessions',
    { schema: { summary: 'End all other sessions', response: { 204: z.null() } } },
    async (request, reply) => {
      await sessions.endOthers(request.user.id, request.sessionId, auditSourceOf(request))
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/api/user/sessions/:id',
    { schema: { summary: 'End a session', params: IdParams, response: { 204: z.null() } } },
    async (request, reply) => {
      const ended = await sessions.end(request.user.id, request.params.id, 'session-ended', auditSourceOf(request))
      if (!ended) throw new Problem('not-found')
      return reply.code(204).send(null)
    },
  )
})
