import { createFileRoute } from '@tanstack/react-router'
import { ProxyConfigScreen } from '#web/features/proxy-config/proxy-config-screen.tsx'
import { proxyConfigQuery } from '#web/lib/queries/proxy-config.ts'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/proxy-config')({
  beforeLoad: requireUser,
  loader: ({ context }) => void context.queryClient.prefetchQuery(proxyConfigQuery),
  component: ProxyConfigScreen,
})
