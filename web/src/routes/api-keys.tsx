import { createFileRoute } from '@tanstack/react-router'
import { ApiKeysScreen } from '#web/features/api-keys/api-keys-screen.tsx'
import { apiKeysQuery } from '#web/features/api-keys/api-keys-queries.ts'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/api-keys')({
  beforeLoad: requireUser,
  loader: ({ context }) => void context.queryClient.prefetchQuery(apiKeysQuery),
  component: ApiKeysScreen,
})
