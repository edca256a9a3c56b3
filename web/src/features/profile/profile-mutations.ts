import { mutationOptions } from '@tanstack/react-query'
import { type ChangePassword, type UpdateProfile, User } from '#schemas/account.ts'
import { type ChangePreferences, Preferences } from '#schemas/preferences.ts'
import { fetchJson, send } from '#web/lib/api.ts'
import { preferencesPath } from '#web/lib/queries/preferences.ts'
import { currentUserQuery, endSession } from '#web/lib/session/session.ts'
import { setTheme } from '#web/lib/theme.ts'
import { auditPath, sessionsPath } from './profile-queries.ts'

export const updateProfileMutation = mutationOptions({
  /** Every field is sent, as specified: those that were not edited as they are on the server now. */
  mutationFn: async (changes: Partial<UpdateProfile>) => {
    const { firstName, lastName, email, username } = await fetchJson(User, 'GET', '/api/user')
    const body = { firstName, lastName, email, username, ...changes }
    return fetchJson(User, 'PATCH', '/api/user/profile', { body })
  },
  onSuccess: (user, _profile, _result, { client }) => client.setQueryData(currentUserQuery.queryKey, user),
  meta: {
    success: { title: 'Profile updated', description: 'Your profile has been successfully updated.' },
    failure: 'Update failed',
  },
})

const photoPath = '/api/user/photo'

export const changePhotoMutation = mutationOptions({
  mutationFn: (photo: File | null) =>
    photo ? fetchJson(User, 'PUT', photoPath, { body: photo }) : fetchJson(User, 'DELETE', photoPath),
  onSuccess: (user, _photo, _result, { client }) => client.setQueryData(currentUserQuery.queryKey, user),
  meta: { refreshes: [auditPath], success: 'Photo changed', failure: 'Update failed' },
})

export const requestConfirmationMutation = mutationOptions({
  mutationFn: () => send('POST', '/api/user/email-confirmation'),
  meta: {
    success: { title: 'Confirmation sent', description: 'Open the link in the mail.' },
    failure: 'Sending failed',
  },
})

export const changePasswordMutation = mutationOptions({
  mutationFn: (passwords: ChangePassword) => send('PATCH', '/api/user/password', { body: passwords }),
  meta: {
    refreshes: [sessionsPath, auditPath],
    success: { title: 'Password changed', description: 'Your password has been successfully updated.' },
    failure: 'Password change failed',
  },
})

export const savePreferencesMutation = mutationOptions({
  /** Every field is sent, as specified: those that were not edited as they are on the server now. */
  mutationFn: async (changes: ChangePreferences) => {
    const latest = await fetchJson(Preferences, 'GET', preferencesPath)
    const saved = await fetchJson(Preferences, 'PATCH', preferencesPath, { body: { ...latest, ...changes } })
    // Here, because `onSuccess` waits for the refetches.
    setTheme(saved.theme)
    return saved
  },
  meta: {
    // The days of the analytics are those of the time zone.
    refreshes: [preferencesPath, '/api/analytics'],
    success: { title: 'Preferences updated', description: 'Your preferences have been saved.' },
    failure: 'Update failed',
  },
})

/** Ends one session, or with `null` all but this one. */
export const endSessionMutation = mutationOptions({
  mutationFn: (id: string | null) => send('DELETE', id === null ? sessionsPath : `${sessionsPath}/${id}`),
  meta: { refreshes: [sessionsPath, auditPath], success: 'Signed out there', failure: 'Sign-out failed' },
})

export const deleteAccountMutation = mutationOptions({
  mutationFn: async (_: void, { client }) => {
    await send('DELETE', '/api/user/account')
    endSession(client)
  },
  meta: { failure: 'Deletion failed' },
})
