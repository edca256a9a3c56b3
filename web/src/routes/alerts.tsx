import { createFileRoute } from '@tanstack/react-router'
import { AlertsScreen } from '#web/features/alerts/alerts-screen.tsx'
import { requireUser } from './-require-user.ts'

/** `draft`: a new alert as JSON, which the screen reads; it opens the dialog. */
export const Route = createFileRoute('/alerts')({
  validateSearch: ({ draft }: Record<string, unknown>): { draft?: string } =>
    typeof draft === 'string' ? { draft } : {},
  beforeLoad: requireUser,
  component: AlertsScreen,
})
