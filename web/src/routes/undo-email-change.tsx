import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { MailedLink } from '#web/features/session/mailed-link.tsx'
import { UndoEmailChangeScreen } from '#web/features/session/undo-email-change-screen.tsx'

export const Route = createFileRoute('/undo-email-change')({
  validateSearch: z.object({ done: z.literal(true).optional().catch(undefined) }),
  component: () => <MailedLink screen={UndoEmailChangeScreen} />,
})
