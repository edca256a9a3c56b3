import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { toast } from '#web/lib/toast.ts'
import { Button } from '#web/ui/button.tsx'
import { testProxyMutation } from './dashboard-queries.ts'

export function TestProxyButton() {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    ...testProxyMutation,
    onSuccess: ({ success, message }) => {
      toast({ title: success ? 'Success' : 'Failed', description: message, destructive: !success })
      if (!success) return
      void client.invalidateQueries({ queryKey: ['/api/logs'] })
      void client.invalidateQueries({ queryKey: ['/api/stats'] })
    },
  })
  return (
    <Button variant="primary" pendingText={isPending && 'Testing...'} onClick={() => mutate()}>
      <Activity />
      Test Proxy
    </Button>
  )
}
