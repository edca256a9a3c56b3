import { z } from 'zod'
import { requireFound } from '#core/problem.ts'
import { ChangeView, NewView, View } from '#schemas/views.ts'
import type { ViewStore } from '#store/postgres/views.ts'
import { signedInRoutes } from '../plugins/session.ts'
import { auditSourceOf } from '../sign-in/client-address.ts'
import { addDeleteRoute } from './add-delete-route.ts'
import { IdParams } from './id-params.ts'

/** Source: product.md 8.14. */
export const viewRoutes = signedInRoutes<{ views: ViewStore }>(async (app, { views }) => {
  app.get('/api/views', { schema: { summary: 'List saved views', response: { 200: z.array(View) } } }, ({ user }) =>
    views.list(user.id),
  )

  app.get(
    '/api/views/:id',
    { schema: { summary: 'Get a saved view', params: IdParams, response: { 200: View } } },
    async ({ user, params }) => requireFound(await views.get(user.id, params.id)),
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
      return requireFound(await views.change(user.id, params.id, body, auditSourceOf(request)))
    },
  )

  addDeleteRoute(app, '/api/views/:id', 'Delete a saved view', views.remove)
})
