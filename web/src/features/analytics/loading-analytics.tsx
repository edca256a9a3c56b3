import { Skeleton } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

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
