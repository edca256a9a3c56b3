import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Holds the place of the cards until it is known whether the first steps go above them. */
export const DashboardSkeleton = () => (
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

/** As high as the tester, so that what stands below does not move. */
export const TesterSkeleton = () => (
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
