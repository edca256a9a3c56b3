import { createFileRoute } from '@tanstack/react-router'
import { ConfirmEmailScreen } from '#web/features/session/confirm-email-screen.tsx'

export const Route = createFileRoute('/confirm-email')({ component: ConfirmEmailScreen })
