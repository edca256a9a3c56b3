import { classNames } from '#web/lib/text/class-names.ts'

export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={classNames('block animate-pulse rounded bg-line', className)} />
)
