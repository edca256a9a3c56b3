import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { ApiKeysScreen } from '#web/features/api-keys/api-keys-screen.tsx'
import { apiKeysQuery } from '#web/lib/queries/api-keys.ts'
import { requireUser } from './-require-user.ts'

/** `dialog=add` opens the dialog, so that any link can lead straight to it. */
const ApiKeysSearch = z.object({ dialog: z.literal('add').optional().catch(undefined) })

export const Route = createFileRoute('/api-keys')({
  validateSearch: ApiKeysSearch,
  beforeLoad: requireUser,
  loader: ({ context }) => void context.queryClient.prefetchQuery(apiKeysQuery),
  component: ApiKeysScreen,
})
