import { createFileRoute } from '@tanstack/react-router'
import { SecureTokensScreen } from '#web/features/secure-tokens/secure-tokens-screen.tsx'
import { secureTokensQuery } from '#web/features/secure-tokens/secure-tokens-queries.ts'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/secure-tokens')({
  beforeLoad: requireUser,
  loader: ({ context }) => void context.queryClient.prefetchQuery(secureTokensQuery),
  component: SecureTokensScreen,
})
