import { z } from 'zod'
import { Problem } from '#core/problem.ts'
import { ChangeView, NewView, View } from '#schemas/views.ts'
import type { ViewStore } from '#store/postgres/views.ts'
import { signedInRoutes } from '../plugins/session.ts'
import { auditSourceOf } from '../sign-in/client-address.ts'
import { IdParams } from './id-params.ts'

/** Source: product.md 8.14. */
export const viewRoutes = signedInRoutes<{ views: ViewStore }>(async (app, { views }) => {
  app.get('/api/views', { schema: { summary: 'Saved views', response: { 200: z.array(View) } } }, ({ user }) =>
    views.list(user.id),
  )

  app.get(
    '/api/views/:id',
    { schema: { summary: 'A saved view', params: IdParams, response: { 200: View } } },
    async ({ user, params }) => {
      const view = await views.get(user.id, params.id)
      if (!view) throw new Problem('not-found')
      return view
    },
  )

  app.post(
    '/api/views',
    { schema: { summary: 'Save a view', body: NewView, response: { 201: View } } },
    async (request, reply) => {
      const view = await views.create(request.user.id, request.body, auditSourceOf(request))
      return reply.code(201).send(view)
    },
  )

  app.put(
    '/api/views/:id',
    { schema: { summary: 'Change a saved view', params: IdParams, body: ChangeView, response: { 200: View } } },
    async (request) => {
      const { user, params, body } = request
      const view = await views.change(user.id, params.id, body, auditSourceOf(request))
      if (!view) throw new Problem('not-found')
      return view
    },
  )

  app.delete(
    '/api/views/:id',
    { schema: { summary: 'Delete a saved view', params: IdParams, response: { 204: z.null() } } },
    async (request, reply) => {
      const removed = await views.remove(request.user.id, request.params.id, auditSourceOf(request))
      if (!removed) throw new Problem('not-found')
      return reply.code(204).send(null)
    },
  )
})
