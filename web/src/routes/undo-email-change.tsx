import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { UndoEmailChangeScreen } from '#web/features/undo-email-change/undo-email-change-screen.tsx'

export const Route = createFileRoute('/undo-email-change')({
  validateSearch: z.object({ done: z.literal(true).optional().catch(undefined) }),
  component: UndoEmailChange,
})

function UndoEmailChange() {
  const { done = false } = Route.useSearch()
  const { user } = Route.useRouteContext()
  return <UndoEmailChangeScreen isDone={done} isInShell={user !== null} />
}
