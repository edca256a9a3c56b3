import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { mutationOptions } from '@tanstack/react-query'
import { SaveProxyConfig } from '#schemas/proxy-config.ts'
import { send } from '#web/lib/api.ts'
import { apiKeysPath, apiKeyStatesPath } from '#web/lib/queries/api-keys.ts'
import { proxyConfigPath as path } from '#web/lib/queries/proxy-config.ts'

/** The form's values: every setting, without the password that a new origin may need. */
export const ConfigValues = SaveProxyConfig.omit({ currentPassword: true }).required()
export type ConfigValues = z.infer<typeof ConfigValues>

/** What a save sends: five settings always, as specified; others only if edited, as they may have changed elsewhere. */
export function savedConfig(values: ConfigValues, edited: object): SaveProxyConfig {
  const { baseUrl, timeout, retryAttempts, rateLimitEnabled, maxRequestsPerMinute, ...others } = values
  const changes = Object.fromEntries(Object.entries(others).filter(([name]) => name in edited))
  return { baseUrl, timeout, retryAttempts, rateLimitEnabled, maxRequestsPerMinute, ...changes }
}

export type ConfigSectionProps = { form: UseFormReturn<ConfigValues> }

export const saveConfigMutation = mutationOptions({
  mutationFn: (config: SaveProxyConfig) => send('POST', path, { body: config }),
  meta: {
    refreshes: [path, apiKeysPath, apiKeyStatesPath],
    success: { title: 'Success', description: 'Proxy configuration saved successfully' },
    failure: { title: 'Error', description: 'Failed to save proxy configuration' },
    handles: ['confirm_origin', 'wrong-password'],
  },
})
