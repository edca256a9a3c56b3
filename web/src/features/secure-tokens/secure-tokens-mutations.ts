import { mutationOptions } from '@tanstack/react-query'
import {
  type ChangeSecureToken,
  CreatedSecureToken,
  type CreateSecureToken,
  type LogTokenBodies,
  RevealedSecureToken,
  type RotateSecureToken,
  type ToggleSecureToken,
} from '#schemas/secure-tokens.ts'
import { fetchJson, send } from '#web/lib/api.ts'
import { copyText } from '#web/lib/browser/clipboard.ts'
import { secureTokensPath as path } from '#web/lib/queries/secure-tokens.ts'

/** Only this response contains the full token. */
export const createTokenMutation = mutationOptions({
  mutationFn: (token: CreateSecureToken) => fetchJson(CreatedSecureToken, 'POST', path, { body: token }),
  meta: { refreshes: [path], success: 'Secure token created', failure: 'Failed to create token' },
})

/** Omitted fields keep their values. */
export const changeTokenMutation = mutationOptions({
  mutationFn: ({ id, changes }: { id: string; changes: ChangeSecureToken }) =>
    send('PATCH', `${path}/${id}`, { body: changes }),
  meta: { refreshes: [path], success: 'Token updated', failure: 'Failed to update token' },
})

export const toggleTokenMutation = mutationOptions({
  mutationFn: ({ id, isActive }: ToggleSecureToken & { id: string }) =>
    send('PUT', `${path}/${id}/toggle`, { body: { isActive } }),
  meta: { refreshes: [path], success: 'Token updated', failure: 'Failed to update token' },
})

export const deleteTokenMutation = mutationOptions({
  mutationFn: (id: string) => send('DELETE', `${path}/${id}`),
  meta: { refreshes: [path], success: 'Token deleted', failure: 'Failed to delete token' },
})

/** Only this response contains the full token. */
export const rotateTokenMutation = mutationOptions({
  mutationFn: ({ id, graceHours }: RotateSecureToken & { id: string }) =>
    fetchJson(CreatedSecureToken, 'POST', `${path}/${id}/rotate`, { body: { graceHours } }),
  meta: { refreshes: [path], success: 'Token rotated', failure: 'Failed to rotate token' },
})

export const endPreviousSecretMutation = mutationOptions({
  mutationFn: (id: string) => send('DELETE', `${path}/${id}/previous-secret`),
  meta: { refreshes: [path], success: 'Token updated', failure: 'Failed to update token' },
})

export const logBodiesMutation = mutationOptions({
  mutationFn: ({ id, ...body }: LogTokenBodies & { id: string }) => send('POST', `${path}/${id}/log-bodies`, { body }),
  meta: { refreshes: [path], success: 'Token updated', failure: 'Failed to update token' },
})

/** Fetches the full token straight into the clipboard, never onto the screen. */
export const copyTokenMutation = mutationOptions({
  mutationFn: (id: string) =>
    copyText(fetchJson(RevealedSecureToken, 'GET', `${path}/${id}/reveal`).then(({ token }) => token)),
  meta: {
    refreshes: [path],
    success: { title: 'Token copied', description: 'The full token is in your clipboard.' },
    failure: 'Failed to retrieve and copy the full token',
  },
})
