import { ChangePreferences, Preferences } from '#schemas/preferences.ts'
import type { PreferencesStore } from '#store/postgres/preferences.ts'
import { auditSourceOf } from '../sign-in/client-address.ts'
import { signedInRoutes } from '../plugins/session.ts'

/** Source: product.md 8.4. */
export const preferencesRoutes = signedInRoutes<{ preferences: PreferencesStore }>(async (app, { preferences }) => {
  app.get(
    '/api/user/preferences',
    { schema: { summary: 'Get preferences', response: { 200: Preferences } } },
    ({ user }) => preferences.get(user.id),
  )

  app.patch(
    '/api/user/preferences',
    { schema: { summary: 'Change preferences', body: ChangePreferences, response: { 200: Preferences } } },
    (request) => preferences.save(request.user.id, request.body, auditSourceOf(request)),
  )
})
