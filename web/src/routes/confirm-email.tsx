import { createFileRoute, useLocation } from '@tanstack/react-router'
import { ConfirmEmailScreen } from '#web/features/session/confirm-email-screen.tsx'

export const Route = createFileRoute('/confirm-email')({ component: ConfirmEmail })

function ConfirmEmail() {
  const { hash } = useLocation()
  return <ConfirmEmailScreen secret={hash} />
}
