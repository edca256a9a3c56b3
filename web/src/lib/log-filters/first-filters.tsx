import { ListFilter, PanelLeft, Search } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { typedInto } from '#web/lib/browser/typed-into.ts'
import { Button } from '#web/ui/button.tsx'
import { LazyInput } from '#web/ui/lazy-input.tsx'
import { Select } from '#web/ui/select.tsx'
import { type MoreFilter, moreFilterNames } from './log-params.ts'
import { type LogFilters, methods, statusLabels } from './log-search.ts'

type FirstFiltersProps = {
  search: LogFilters
  onChange: (change: LogFilters) => void
  /** The filters that the button counts. */
  more?: readonly MoreFilter[]
  isMoreOpen: boolean
  onMoreOpenChange: (open: boolean) => void
  areValuesOpen: boolean
  onValuesOpenChange: (open: boolean) => void
  /** Other controls, at the end. */
  children?: ReactNode
}

/** The first row of filters. Texts: product.md 10.10. */
export function FirstFilters(props: FirstFiltersProps) {
  const { search, onChange, more = moreFilterNames, children } = props
  const { isMoreOpen, onMoreOpenChange, areValuesOpen, onValuesOpenChange } = props
  const row = useRef<HTMLElement>(null)
  useSlashKey(() => row.current?.querySelector<HTMLInputElement>('input[type=search]')?.focus())
  const count = more.filter((name) => name !== 'not' && search[name] !== undefined).length
  return (
    <search ref={row} className="grid grid-cols-2 gap-2 md:flex md:flex-wrap">
      <div className="relative col-span-2 min-w-40 flex-1">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
        />
        <LazyInput
          type="search"
          aria-label="Search requests"
          aria-keyshortcuts="/"
          placeholder="Search requests..."
          maxLength={200}
          value={search.search ?? ''}
          onCommit={(text) => onChange({ search: text.trim() })}
          className="pl-9"
        />
      </div>
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
      {children}
    </search>
  )
}

/** `/` focuses the search, except in a text field, dialog or menu. */
function useSlashKey(focus: () => void) {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      const { target } = event
      if (target instanceof Element && target.closest(`${typedInto}, [role=dialog]`)) return
      event.preventDefault()
      focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
}
