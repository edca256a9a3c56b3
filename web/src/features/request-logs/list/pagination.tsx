import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCount } from '#web/lib/text/format.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { pageSize } from '../request-logs-queries.ts'

type PaginationProps = {
  page: number
  total: number
  /** Whether the total is a lower bound. */
  isAtLeast: boolean
  onPage: (page: number) => void
}

export function Pagination({ page, total, isAtLeast, onPage }: PaginationProps) {
  const lastPage = Math.max(1, Math.ceil(total / pageSize))
  const first = (page - 1) * pageSize + 1
  const last = Math.min(page * pageSize, total)
  return (
    <footer className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2.5">
      <p className="text-muted tabular-nums">
        Showing {formatCount(first)}-{formatCount(last)} of {formatCount(total)}
        {isAtLeast && '+'}
      </p>
      <nav aria-label="Pages" className="flex items-center gap-1">
        <IconButton
          variant="secondary"
          label="Previous page"
          icon={<ChevronLeft />}
          unavailable={page <= 1}
          onClick={() => onPage(page - 1)}
        />
        {pageNumbers(page, lastPage).map((number) => (
          <IconButton
            key={number}
            variant={number === page ? 'primary' : 'ghost'}
            label={`Page ${number}`}
            icon={formatCount(number)}
            aria-current={number === page ? 'page' : undefined}
            onClick={() => onPage(number)}
            className="w-auto! min-w-10 px-1.5 tabular-nums md:min-w-8"
          />
        ))}
        <IconButton
          variant="secondary"
          label="Next page"
          icon={<ChevronRight />}
          unavailable={page >= lastPage}
          onClick={() => onPage(page + 1)}
        />
      </nav>
    </footer>
  )
}

/** Up to 5 page numbers around the current page. Source: product.md 10.10. */
export function pageNumbers(page: number, lastPage: number): number[] {
  const count = Math.min(5, lastPage)
  const first = Math.max(1, Math.min(page - 2, lastPage - count + 1))
  return Array.from({ length: count }, (_, index) => first + index)
}
