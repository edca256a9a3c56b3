import { X } from 'lucide-react'
import type { FilterParameter } from '#schemas/log-names.ts'
import { useFilterTexts } from './filter-texts.ts'
import { removeFilter } from './filter-values.ts'
import { filterNames, moreFilterNames } from './log-params.ts'
import type { LogFilters } from './log-search.ts'

type ActiveFiltersProps = {
  search: LogFilters
  onChange: (change: LogFilters) => void
  /** The filters that are shown, and those that `Clear all` removes. */
  shown?: readonly FilterParameter[]
  cleared?: readonly FilterParameter[]
}

/** The active filters, by default those outside the first row; a click removes one. */
export function ActiveFilters(props: ActiveFiltersProps) {
  const { search, onChange, shown = moreFilterNames, cleared = filterNames } = props
  const active = useFilterTexts(search, shown)
  if (active.length === 0) return null
  return (
    <ul aria-label="Active filters" className="flex flex-wrap items-center gap-2">
      {active.map(({ name, text }) => (
        <li key={name}>
          <button
            type="button"
            onClick={({ currentTarget }) => {
              focusNext(active.length > 1 ? currentTarget.closest('li') : null)
              onChange(removeFilter(search, name))
            }}
            className="inline-flex h-11 max-w-80 items-center gap-1.5 rounded-full border border-line bg-surface pr-2 pl-3 text-xs transition-colors hover:bg-subtle md:h-7"
          >
            <span className="truncate">{text}</span>
            <X aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
            <span className="sr-only">: remove this filter</span>
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          onClick={() => {
            focusNext(null)
            onChange(Object.fromEntries(cleared.map((name) => [name, undefined])))
          }}
          className="h-11 px-2 text-xs font-medium text-accent hover:underline md:h-7"
        >
          Clear all
        </button>
      </li>
    </ul>
  )
}

/** Moves the focus to the next filter before this one disappears, or else to the button that shows all filters. */
function focusNext(filter: Element | null) {
  const next = filter ? filter.nextElementSibling?.querySelector('button') : document.querySelector(filtersButton)
  if (next instanceof HTMLElement) next.focus()
}

const filtersButton = '[aria-controls=more-filters]'
