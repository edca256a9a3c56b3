import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { mutationOptions } from '@tanstack/react-query'
import { ProxyConfig, SaveProxyConfig } from '#schemas/proxy-config.ts'
import { fetchJson } from '#web/lib/api.ts'
import { apiKeysPath, apiKeyStatesPath } from '#web/lib/queries/api-keys.ts'
import { proxyConfigPath as path, proxyConfigQuery } from '#web/lib/queries/proxy-config.ts'

/** The form's values: every setting, without the password that a new origin may need. */
export const ConfigValues = SaveProxyConfig.omit({ currentPassword: true }).required()
export type ConfigValues = z.infer<typeof ConfigValues>

/** The edited settings, and the password that a new origin may need. */
export type ConfigChanges = Partial<SaveProxyConfig>

export type ConfigSectionProps = { form: UseFormReturn<ConfigValues> }

export const saveConfigMutation = mutationOptions({
  /** Five settings are always sent, as specified: those that were not edited as they are on the server now. */
  mutationFn: async (changes: ConfigChanges, { client }) => {
    const { baseUrl, timeout, retryAttempts, rateLimitEnabled, maxRequestsPerMinute } = await fetchJson(
      ProxyConfig,
      'GET',
      path,
    )
    const always = { baseUrl, timeout, retryAttempts, rateLimitEnabled, maxRequestsPerMinute }
    const saved = await fetchJson(ProxyConfig, 'POST', path, { body: { ...always, ...changes } })
    // Shown even if it can't be read again.
    client.setQueryData(proxyConfigQuery.queryKey, saved)
  },
  meta: {
    refreshes: [path, apiKeysPath, apiKeyStatesPath],
    success: { title: 'Success', description: 'Proxy configuration saved successfully' },
    failure: { title: 'Error', description: 'Failed to save proxy configuration' },
    handles: ['confirm_origin', 'wrong-password'],
  },
})
