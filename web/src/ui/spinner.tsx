import { LoaderCircle } from 'lucide-react'
import { classNames } from '#web/lib/text/class-names.ts'

export const Spinner = ({ className }: { className?: string }) => (
  <LoaderCircle aria-hidden="true" className={classNames('size-4 shrink-0 animate-spin', className)} />
)
