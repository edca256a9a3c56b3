import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refresh } from '#web/lib/refresh.ts'
import { toast } from '#web/lib/toast.ts'
import { testProxyMutation } from './dashboard-queries.ts'

/** Tests the connection to the provider and says what came of it; a success refreshes logs and stats. */
export function useTestProxy() {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    ...testProxyMutation,
    onSuccess: ({ success, message }) => {
      toast({ title: success ? 'Success' : 'Failed', description: message, destructive: !success })
      if (success) void refresh(client, ['/api/logs', '/api/stats'])
    },
  })
  return { test: () => mutate(), isPending }
}
