import type { ReactNode } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'

export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={classNames('block animate-pulse rounded bg-line', className)} />
)

type SkeletonListProps = { rows: number; className?: string; rowClassName?: string; children: ReactNode }

/** `children`: the content of each row, by default with lines between them. */
export const SkeletonList = ({
  rows,
  className = 'divide-y divide-line',
  rowClassName,
  children,
}: SkeletonListProps) => (
  <div className={className}>
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} className={rowClassName}>
        {children}
      </div>
    ))}
  </div>
)
