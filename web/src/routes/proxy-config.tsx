import { createFileRoute } from '@tanstack/react-router'
import { modelPricesQuery } from '#web/features/proxy-config/model-prices/model-prices-queries.ts'
import { ProxyConfigScreen } from '#web/features/proxy-config/proxy-config-screen.tsx'
import { proxyConfigQuery } from '#web/lib/queries/proxy-config.ts'
import { requireUser } from './-require-user.ts'

export const Route = createFileRoute('/proxy-config')({
  beforeLoad: requireUser,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(proxyConfigQuery)
    void queryClient.prefetchQuery(modelPricesQuery)
  },
  component: ProxyConfigScreen,
})
