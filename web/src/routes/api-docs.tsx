import { createFileRoute } from '@tanstack/react-router'
import { ApiDocsScreen } from '#web/features/api-docs/api-docs-screen.tsx'
import { proxyConfigQuery } from '#web/lib/queries/proxy-config.ts'
import { secureTokensQuery } from '#web/lib/queries/secure-tokens.ts'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/api-docs')({
  beforeLoad: requireUser,
  loader: ({ context }) => {
    void context.queryClient.prefetchInfiniteQuery(secureTokensQuery())
    void context.queryClient.prefetchQuery(proxyConfigQuery)
  },
  component: ApiDocsScreen,
})
