import { type QueryClient, useQuery } from '@tanstack/react-query'
import { ActiveKeysCard } from '#web/features/api-keys/active-keys-card.tsx'
import { apiKeysQuery } from '#web/features/api-keys/api-keys-queries.ts'
import { statsQuery } from '#web/features/dashboard/dashboard-queries.ts'
import { MetricCards } from '#web/features/dashboard/metric-cards.tsx'
import { OnlineBadge } from '#web/features/dashboard/online-badge.tsx'
import { ProxyStatusCard } from '#web/features/dashboard/proxy-status-card.tsx'
import { TestProxyButton } from '#web/features/dashboard/test-proxy-button.tsx'
import { recentLogsQuery } from '#web/features/request-logs/request-logs-queries.ts'
import { RecentLogsCard } from '#web/features/request-logs/recent-logs-card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

export function prefetchDashboard(client: QueryClient) {
  void client.prefetchQuery(statsQuery)
  void client.prefetchQuery(apiKeysQuery)
  void client.prefetchQuery(recentLogsQuery)
}

/** Puts parts of several features on one screen, which only a route may do. */
export function Dashboard() {
  const keys = useQuery(apiKeysQuery)
  return (
    <>
      <PageHeader
        title="Dashboard"
        description="What goes through the proxy right now."
        badge={<OnlineBadge />}
        action={<TestProxyButton />}
      />
      <MetricCards keys={keys} />
      <div className="grid items-start gap-6 lg:grid-cols-3">
        <div className="flex min-w-0 flex-col gap-6 lg:col-span-2">
          <RecentLogsCard />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <ProxyStatusCard keys={keys} />
          <ActiveKeysCard />
        </div>
      </div>
    </>
  )
}
