import { mutationOptions } from '@tanstack/react-query'
import { ProxyTestResult } from '#schemas/proxy-config.ts'
import { fetchJson } from '#web/lib/api.ts'
import { requestLogsPath } from '#web/lib/queries/request-logs.ts'
import { statsPath } from '#web/lib/queries/stats.ts'
import { refresh } from '#web/lib/refresh.ts'
import { toast } from '#web/lib/toast.ts'

export const testProxyMutation = mutationOptions({
  mutationFn: () => fetchJson(ProxyTestResult, 'POST', '/api/proxy/test'),
  onSuccess: ({ success, message }, _variables, _result, { client }) => {
    toast({ title: success ? 'Success' : 'Failed', description: message, destructive: !success })
    if (success) void refresh(client, [requestLogsPath, statsPath])
  },
  meta: { failure: { title: 'Error', description: 'Failed to test proxy connection' } },
})
