import { createFileRoute, redirect } from '@tanstack/react-router'
import { AuthScreen } from '#web/features/session/auth-screen.tsx'

export const Route = createFileRoute('/auth')({
  beforeLoad: ({ context }) => {
    if (context.user) throw redirect({ to: '/' })
  },
  component: AuthScreen,
})
