import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { SecureTokensScreen } from '#web/features/secure-tokens/secure-tokens-screen.tsx'
import { secureTokensQuery } from '#web/lib/queries/secure-tokens.ts'
import { requireUser } from './-require-user.ts'

/** `dialog=create` opens the dialog, so that any link can lead straight to it. */
const SecureTokensSearch = z.object({ dialog: z.literal('create').optional().catch(undefined) })

export const Route = createFileRoute('/secure-tokens')({
  validateSearch: SecureTokensSearch,
  beforeLoad: requireUser,
  loader: ({ context }) => void context.queryClient.prefetchInfiniteQuery(secureTokensQuery()),
  component: SecureTokensScreen,
})
