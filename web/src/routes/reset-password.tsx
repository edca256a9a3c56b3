import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordScreen } from '#web/features/session/reset-password-screen.tsx'

export const Route = createFileRoute('/reset-password')({ component: ResetPasswordScreen })
