import { mutationOptions } from '@tanstack/react-query'
import { RecoveryCodes, TwoFactorSetup, TwoFactorStatus } from '#schemas/two-factor.ts'
import { fetchJson } from '#web/lib/api.ts'
import { twoFactorPath as path } from '#web/lib/queries/two-factor.ts'
import { auditPath } from '../profile-queries.ts'

const refreshes = [path, auditPath]
const failure = 'Update failed'

export const setUpMutation = mutationOptions({
  mutationFn: (currentPassword: string) =>
    fetchJson(TwoFactorSetup, 'POST', `${path}/setup`, { body: { currentPassword } }),
  meta: { refreshes, failure },
})

export const enableMutation = mutationOptions({
  mutationFn: (code: string) => fetchJson(RecoveryCodes, 'POST', `${path}/enable`, { body: { code } }),
  meta: { refreshes, success: 'Two-factor sign-in is on', failure },
})

export const disableMutation = mutationOptions({
  mutationFn: () => fetchJson(TwoFactorStatus, 'POST', `${path}/disable`),
  meta: { refreshes, success: 'Two-factor sign-in is off', failure },
})

export const renewCodesMutation = mutationOptions({
  mutationFn: () => fetchJson(RecoveryCodes, 'POST', `${path}/recovery-codes`),
  meta: { refreshes, success: 'Recovery codes renewed', failure },
})
