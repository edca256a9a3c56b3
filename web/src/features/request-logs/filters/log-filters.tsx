import { ListFilter, PanelLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { Select } from '#web/ui/select.tsx'
import { moreFilterNames } from '#web/lib/log-filters/log-params.ts'
import { type LogSearch, methods, statusLabels } from '#web/lib/log-filters/log-search.ts'

type LogFiltersProps = {
  search: LogSearch
  onChange: (change: Partial<LogSearch>) => void
  isMoreOpen: boolean
  onMoreOpenChange: (open: boolean) => void
  areValuesOpen: boolean
  onValuesOpenChange: (open: boolean) => void
}

/** The first row of filters. Texts: product.md 10.10. */
export function LogFilters(props: LogFiltersProps) {
  const { search, onChange, isMoreOpen, onMoreOpenChange, areValuesOpen, onValuesOpenChange } = props
  const row = useRef<HTMLElement>(null)
  useSlashKey(() => row.current?.querySelector<HTMLInputElement>('input[type=search]')?.focus())
  const count = moreFilterNames.filter((name) => search[name] !== undefined).length
  return (
    <search ref={row} className="grid grid-cols-2 gap-2 md:flex">
      <SearchInput
        aria-label="Search requests"
        aria-keyshortcuts="/"
        placeholder="Search requests..."
        maxLength={200}
        value={search.search ?? ''}
        onCommit={(text) => onChange({ search: text.trim() })}
        className="col-span-2 min-w-0 flex-1"
      />
      <Select
        aria-label="Status"
        value={search.status ?? 'all'}
        onValueChange={(status) => onChange({ status })}
        options={[
          { value: 'all', label: 'All Status' },
          { value: 'success', label: statusLabels.success },
          { value: 'error', label: statusLabels.error },
          { value: 'failed', label: statusLabels.failed },
        ]}
        className="md:w-40"
      />
      <Select
        aria-label="Method"
        value={search.method ?? 'all'}
        onValueChange={(method) => onChange({ method })}
        options={[
          { value: 'all', label: 'All Methods' },
          ...methods.map((method) => ({ value: method, label: method })),
        ]}
        className="md:w-36"
      />
      <Button aria-expanded={isMoreOpen} aria-controls="more-filters" onClick={() => onMoreOpenChange(!isMoreOpen)}>
        <ListFilter />
        More filters
        {count > 0 && (
          <span className="rounded-full bg-accent-soft px-1.5 text-xs text-accent tabular-nums">{count}</span>
        )}
      </Button>
      <Button aria-expanded={areValuesOpen} onClick={() => onValuesOpenChange(!areValuesOpen)}>
        <PanelLeft />
        Values
      </Button>
    </search>
  )
}

/** `/` focuses the search, except in a text field, dialog or menu. */
function useSlashKey(focus: () => void) {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      const { target } = event
      if (target instanceof Element && target.closest('input, textarea, select, [role=dialog], [role=menu]')) return
      event.preventDefault()
      focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
}
