import { createFileRoute, redirect } from '@tanstack/react-router'
import { AuthScreen } from '#web/features/session/auth-screen.tsx'
import { registrationQuery } from '#web/lib/queries/registration.ts'

export const Route = createFileRoute('/auth')({
  beforeLoad: ({ context }) => {
    if (context.user) throw redirect({ to: '/' })
  },
  loader: ({ context }) => void context.queryClient.prefetchQuery(registrationQuery),
  component: AuthScreen,
})
