import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type ChangePassword, type UpdateProfile, User } from '#schemas/account.ts'
import { Billing } from '#schemas/billing.ts'
import type { ChangePreferences } from '#schemas/preferences.ts'
import { fetchJson, send } from '#web/lib/api.ts'
import { currentUserQuery, endSession } from '#web/lib/session/session.ts'
import { setTheme } from '#web/lib/theme.ts'

export const billingQuery = queryOptions({
  queryKey: ['/api/billing'],
  queryFn: ({ signal }) => fetchJson(Billing, 'GET', '/api/billing', { signal }),
  // What was used this month goes on while other screens are looked at.
  gcTime: 15_000,
})

export const updateProfileMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (profile: UpdateProfile) => fetchJson(User, 'PATCH', '/api/user/profile', { body: profile }),
    onSuccess: (user) => client.setQueryData(currentUserQuery.queryKey, user),
    meta: {
      refreshes: ['/api/user/audit'],
      success: { title: 'Profile updated', description: 'Your profile has been successfully updated.' },
      failure: { title: 'Update failed' },
    },
  })

export const requestConfirmationMutation = mutationOptions({
  mutationFn: () => send('POST', '/api/user/email-confirmation'),
  meta: {
    refreshes: ['/api/user/audit'],
    success: { title: 'Confirmation sent', description: 'Open the link in the mail.' },
    failure: { title: 'Sending failed' },
  },
})

export const changePasswordMutation = mutationOptions({
  mutationFn: (passwords: ChangePassword) => send('PATCH', '/api/user/password', { body: passwords }),
  meta: {
    refreshes: ['/api/user/sessions', '/api/user/audit'],
    success: { title: 'Password changed', description: 'Your password has been successfully updated.' },
    failure: { title: 'Password change failed' },
  },
})

export const savePreferencesMutation = mutationOptions({
  mutationFn: async (preferences: Required<ChangePreferences>) => {
    await send('PATCH', '/api/user/preferences', { body: preferences })
    // Here, because what follows a success waits until all is fetched anew.
    setTheme(preferences.theme)
  },
  meta: {
    refreshes: ['/api/user/preferences'],
    success: { title: 'Preferences updated', description: 'Your preferences have been saved.' },
    failure: { title: 'Update failed' },
  },
})

export const deleteAccountMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: () => send('DELETE', '/api/user/account'),
    onSuccess: () => endSession(client),
    meta: { failure: { title: 'Deletion failed' } },
  })

const photoPath = '/api/user/photo'

export const changePhotoMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (photo: File | null) =>
      photo ? fetchJson(User, 'PUT', photoPath, { body: photo }) : fetchJson(User, 'DELETE', photoPath),
    onSuccess: (user) => client.setQueryData(currentUserQuery.queryKey, user),
    meta: { refreshes: ['/api/user/audit'], success: { title: 'Photo changed' }, failure: { title: 'Update failed' } },
  })
