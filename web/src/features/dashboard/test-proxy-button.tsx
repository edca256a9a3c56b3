import { Activity } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { useTestProxy } from './use-test-proxy.ts'

export function TestProxyButton() {
  const { test, isPending } = useTestProxy()
  return (
    <Button variant="primary" pendingText={isPending && 'Testing...'} onClick={test}>
      <Activity />
      Test Proxy
    </Button>
  )
}
