import { ChangePreferences, Preferences } from '#schemas/preferences.ts'
import type { PreferencesStore } from '#store/postgres/preferences.ts'
import { auditSourceOf } from '../sign-in/audit-source.ts'
import { signedInRoutes } from '../plugins/session.ts'

interface PreferencesRouteOptions {
  preferences: PreferencesStore
}

/** Source: product.md 8.4. */
export const preferencesRoutes = signedInRoutes<PreferencesRouteOptions>(async (app, { preferences }) => {
  app.get('/api/user/preferences', { schema: { summary: 'Preferences', response: { 200: Preferences } } }, ({ user }) =>
    preferences.get(user.id),
  )

  app.patch(
    '/api/user/preferences',
    { schema: { summary: 'Change preferences', body: ChangePreferences, response: { 200: Preferences } } },
    (request) => preferences.save(request.user.id, request.body, auditSourceOf(request)),
  )
})
