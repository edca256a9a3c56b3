import { createFileRoute } from '@tanstack/react-router'
import { AlertsScreen } from '#web/features/alerts/alerts-screen.tsx'
import { requireUser } from './-require-user.ts'

/** `draft`: a new alert, parsed by the screen; it opens the dialog. */
export const Route = createFileRoute('/alerts')({
  validateSearch: ({ draft }: Record<string, unknown>): { draft?: unknown } => (draft === undefined ? {} : { draft }),
  beforeLoad: requireUser,
  component: AlertsScreen,
})
