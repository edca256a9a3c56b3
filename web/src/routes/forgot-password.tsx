import { createFileRoute, redirect } from '@tanstack/react-router'
import { ForgotPasswordScreen } from '#web/features/session/forgot-password-screen.tsx'
import { registrationQuery } from '#web/lib/queries/registration.ts'

export const Route = createFileRoute('/forgot-password')({
  beforeLoad: ({ context }) => {
    if (context.user) throw redirect({ to: '/' })
  },
  loader: ({ context }) => context.queryClient.prefetchQuery(registrationQuery),
  component: ForgotPasswordScreen,
})
