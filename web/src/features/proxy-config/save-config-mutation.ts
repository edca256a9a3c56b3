import { mutationOptions } from '@tanstack/react-query'
import type { SaveProxyConfig } from '#schemas/proxy-config.ts'
import { send } from '#web/lib/api.ts'
import { proxyConfigPath as path } from '#web/lib/queries/proxy-config.ts'

export const saveConfigMutation = mutationOptions({
  mutationFn: (config: SaveProxyConfig) => send('POST', path, { body: config }),
  meta: {
    refreshes: [path],
    success: { title: 'Success', description: 'Proxy configuration saved successfully' },
    failure: { title: 'Error', description: 'Failed to save proxy configuration' },
    handles: ['confirm_origin', 'wrong-password'],
  },
})
