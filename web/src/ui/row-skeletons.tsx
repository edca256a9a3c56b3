import { Skeleton, SkeletonList } from './skeleton.tsx'

export const RowSkeletons = ({ rows }: { rows: number }) => (
  <SkeletonList rows={rows} rowClassName="flex h-19 items-center gap-6 px-4">
    <div className="flex-1">
      <Skeleton className="h-4 w-40" />
      <Skeleton className="mt-2 h-3 w-56 max-w-full" />
    </div>
    <Skeleton className="hidden h-8 w-64 md:block" />
    <Skeleton className="h-8 w-20" />
  </SkeletonList>
)
