import { createFileRoute } from '@tanstack/react-router'
import { MailedLink } from '#web/features/session/mailed-link.tsx'
import { ConfirmEmailScreen } from '#web/features/session/confirm-email-screen.tsx'

export const Route = createFileRoute('/confirm-email')({ component: () => <MailedLink screen={ConfirmEmailScreen} /> })
