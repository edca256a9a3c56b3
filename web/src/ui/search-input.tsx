import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'
import { LazyInput } from './lazy-input.tsx'

export const SearchInput = ({ className, ...rest }: ComponentProps<typeof LazyInput>) => (
  <div className={classNames('relative', className)}>
    <Search
      aria-hidden="true"
      className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
    />
    <LazyInput type="search" className="pl-9" {...rest} />
  </div>
)
