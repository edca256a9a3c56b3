import { z } from 'zod'
import { CreatedManagementKey, ManagementKey, NewManagementKey } from '#schemas/management-keys.ts'
import type { ManagementKeyRow, ManagementKeyStore } from '#store/postgres/sign-in/management-keys.ts'
import { signedInRoutes } from '../../plugins/session.ts'
import { auditSourceOf } from '../../sign-in/client-address.ts'
import { recentConfirmationText, requireRecentConfirmation } from '../../sign-in/confirm-password.ts'
import { addDeleteRoute } from '../add-delete-route.ts'

/** Only people create and delete keys, so that no key can extend its own rights or lifetime. */
export const managementKeyRoutes = signedInRoutes<{ keys: ManagementKeyStore }>(async (app, { keys }) => {
  app.get(
    '/api/user/management-keys',
    { schema: { summary: 'List management keys, masked', response: { 200: z.array(ManagementKey) } } },
    async ({ user }) => (await keys.list(user.id)).map(toManagementKey),
  )

  app.post(
    '/api/user/management-keys',
    {
      schema: {
        summary: 'Create a management key for scripts; the response contains it unmasked',
        description: recentConfirmationText,
        body: NewManagementKey,
        response: { 201: CreatedManagementKey },
      },
      preHandler: requireRecentConfirmation,
    },
    async (request, reply) => {
      const { row, key } = await keys.create(request.user.id, request.body, auditSourceOf(request))
      return reply.code(201).send({ ...toManagementKey(row), key })
    },
  )

  addDeleteRoute(app, '/api/user/management-keys/:id', 'Delete a management key', keys.remove)
})

const toManagementKey = ({ expiresAt, createdAt, lastUsedAt, ...row }: ManagementKeyRow): ManagementKey => ({
  ...row,
  expiresAt: expiresAt.toISOString(),
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})
