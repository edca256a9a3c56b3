import { isUnauthorized } from '#web/lib/text/error-text.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type AnalyticsPlaceholderProps = { query: { error: unknown; refetch: () => unknown }; errorTitle: string }

/** Shown until there are numbers. An expired session shows as loading: the browser is about to leave. */
export const AnalyticsPlaceholder = ({ query: { error, refetch }, errorTitle }: AnalyticsPlaceholderProps) =>
  !error || isUnauthorized(error) ? (
    <LoadingAnalytics />
  ) : (
    <Panel>
      <ErrorState title={errorTitle} error={error} onRetry={() => void refetch()} />
    </Panel>
  )

/** Text: product.md 11.1. */
export const LoadingAnalytics = () => (
  <div aria-busy="true" className="flex flex-col gap-6">
    <output className="flex items-center gap-2 text-muted">
      <Spinner />
      Loading analytics data...
    </output>
    <Skeleton className="h-28 w-full rounded-panel" />
    <div className="grid gap-6 lg:grid-cols-3">
      <Skeleton className="h-80 rounded-panel lg:col-span-2" />
      <Skeleton className="h-80 rounded-panel" />
    </div>
  </div>
)
