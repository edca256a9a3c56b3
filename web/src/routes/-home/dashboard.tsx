import type { QueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { ActiveKeysCard } from '#web/features/api-keys/active-keys-card.tsx'
import { apiKeysQuery } from '#web/lib/queries/api-keys.ts'
import { statsQuery } from '#web/lib/queries/stats.ts'
import { MetricCards } from '#web/features/dashboard/metric-cards.tsx'
import { OnlineBadge } from '#web/features/dashboard/online-badge.tsx'
import { PipelineLink } from '#web/features/pipeline/pipeline-link.tsx'
import { ProxyStatusCard } from '#web/features/dashboard/proxy-status-card.tsx'
import { TestProxyButton } from '#web/features/dashboard/test-proxy-button.tsx'
import { FirstRunCard } from '#web/features/first-run/first-run-card.tsx'
import { useSetup } from '#web/features/first-run/use-setup.ts'
import { recentLogsQuery } from '#web/lib/queries/request-logs.ts'
import { RecentLogsCard } from '#web/features/request-logs/list/recent-logs-card.tsx'
import { focusTester } from '#web/features/request-tester/focus-tester.ts'
import { secureTokensQuery } from '#web/lib/queries/secure-tokens.ts'
import { Button } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const loadTester = () => import('#web/features/request-tester/request-tester-card.tsx')
const RequestTesterCard = lazy(async () => ({ default: (await loadTester()).RequestTesterCard }))

export function prefetchDashboard(client: QueryClient) {
  void loadTester()
  void client.prefetchQuery(statsQuery)
  void client.prefetchQuery(apiKeysQuery)
  void client.prefetchInfiniteQuery(secureTokensQuery())
  void client.prefetchQuery(recentLogsQuery)
}

/** Combines parts of several features on one screen, which only a route may do. */
export function Dashboard({ accountId }: { accountId: string }) {
  const firstRun = useSetup()
  return (
    <>
      <PageHeader
        title="Dashboard"
        description="What goes through the proxy right now."
        badge={<OnlineBadge />}
        action={<TestProxyButton />}
      />
      <MetricCards />
      {firstRun.known ? (
        <>
          {firstRun.shown && (
            <FirstRunCard setup={firstRun.setup} onSendFirst={focusTester} onDismiss={firstRun.dismiss} />
          )}
          <div className="grid items-start gap-6 lg:grid-cols-3">
            <div className="flex min-w-0 flex-col gap-6 lg:col-span-2">
              <Suspense fallback={<TesterSkeleton />}>
                <RequestTesterCard accountId={accountId} />
              </Suspense>
              <RecentLogsCard
                emptyAction={
                  <Button size="sm" onClick={focusTester}>
                    Send a Request
                  </Button>
                }
              />
            </div>
            <div className="flex min-w-0 flex-col gap-6">
              <ProxyStatusCard>
                <PipelineLink />
              </ProxyStatusCard>
              <ActiveKeysCard />
            </div>
          </div>
        </>
      ) : (
        <DashboardSkeleton />
      )}
    </>
  )
}

/** Reserves the space of the cards until it is known whether the first steps go above them. */
const DashboardSkeleton = () => (
  <div aria-busy="true" className="grid items-start gap-6 lg:grid-cols-3">
    <output className="sr-only">Loading...</output>
    <div className="lg:col-span-2">
      <TesterSkeleton />
    </div>
    <Card title="Proxy Status">
      <div className="flex flex-col gap-4 p-4">
        <Skeleton className="h-5 w-full" />
        <Skeleton className="h-5 w-full" />
        <Skeleton className="h-5 w-full" />
      </div>
    </Card>
  </div>
)

/** As tall as the tester, so that the content below does not move. */
const TesterSkeleton = () => (
  <Card title="API Request Tester">
    <div className="flex h-186.5 flex-col gap-4 p-4 sm:h-155">
      <Skeleton className="h-9 w-48" />
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-56 w-full" />
      <Skeleton className="mt-auto h-9 w-40" />
    </div>
  </Card>
)
