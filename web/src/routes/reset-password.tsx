import { createFileRoute } from '@tanstack/react-router'
import { MailedLink } from '#web/features/session/mailed-link.tsx'
import { ResetPasswordScreen } from '#web/features/session/reset-password-screen.tsx'

export const Route = createFileRoute('/reset-password')({
  component: () => <MailedLink screen={ResetPasswordScreen} />,
})
