import { useMutation } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { testProxyMutation } from './test-proxy-mutation.ts'

export function TestProxyButton() {
  const { mutate: test, isPending } = useMutation(testProxyMutation)
  return (
    <Button variant="primary" pendingText={isPending && 'Testing...'} onClick={() => test()}>
      <Activity />
      Test Proxy
    </Button>
  )
}
