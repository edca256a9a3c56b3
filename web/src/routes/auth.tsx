import { createFileRoute, redirect } from '@tanstack/react-router'
import { AuthScreen } from '#web/features/session/auth-screen.tsx'
import { registrationQuery } from '#web/lib/queries/registration.ts'
import { takePlace } from '#web/lib/session/sign-in-place.ts'

export const Route = createFileRoute('/auth')({
  beforeLoad: ({ context, preload }) => {
    if (context.user) throw redirect({ href: preload ? '/' : takePlace(context.user.id) })
  },
  loader: ({ context }) => void context.queryClient.prefetchQuery(registrationQuery),
  component: AuthScreen,
})
