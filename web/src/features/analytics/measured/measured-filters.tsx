import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import type { GroupBy } from '#schemas/analytics.ts'
import { groupings } from '#schemas/log-names.ts'
import { ActiveFilters } from '#web/lib/log-filters/active-filters.tsx'
import type { FilterErrors } from '#web/lib/log-filters/filter-errors.ts'
import type { LogFilters } from '#web/lib/log-filters/log-search.ts'
import { MoreFilters } from '#web/lib/log-filters/more-filters.tsx'
import { Button } from '#web/ui/button.tsx'
import { LazyInput } from '#web/ui/lazy-input.tsx'
import { Select } from '#web/ui/select.tsx'
import { type AnalyticsSearch, otherFilterNames } from '../analytics-search.ts'
import { groupLabels, isTag } from './group-values.ts'

type MeasuredFiltersProps = {
  search: AnalyticsSearch
  errors: FilterErrors
  onChange: (change: Partial<AnalyticsSearch>) => void
}

const options = [
  { value: 'none', label: 'No groups' },
  ...groupings.map((value) => ({ value, label: groupLabels[value] })),
  { value: 'tag', label: 'Tag' },
] as const

const tagKey = /^[\w.-]{1,64}$/

/** The filters of Request Logs, and what the numbers are grouped by. */
export function MeasuredFilters({ search, errors, onChange }: MeasuredFiltersProps) {
  const [isChosenOpen, setOpen] = useState(false)
  const isOpen = isChosenOpen || Object.keys(errors).length > 0
  const { groupBy } = search
  const changeFilters = ({ range: _range, ...change }: LogFilters) => onChange(change)
  const key = groupBy && isTag(groupBy) ? groupBy.slice(4) : undefined

  function chooseGroup(value: (typeof options)[number]['value']) {
    if (value === 'none') return onChange({ groupBy: undefined })
    onChange({ groupBy: value === 'tag' ? 'tag:customer' : value })
  }

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Button aria-expanded={isOpen} aria-controls="more-filters" onClick={() => setOpen(!isOpen)}>
          <ListFilter />
          Filters
        </Button>
        <Select
          aria-label="Group by"
          value={key === undefined ? ((groupBy as Exclude<GroupBy, `tag:${string}`> | undefined) ?? 'none') : 'tag'}
          onValueChange={chooseGroup}
          options={options}
          className="w-40"
        />
        {key !== undefined && (
          <LazyInput
            aria-label="Key of the tag"
            maxLength={64}
            value={key}
            onCommit={(text) => tagKey.test(text) && onChange({ groupBy: `tag:${text}` })}
            className="w-44 font-mono md:text-xs"
          />
        )}
      </div>
      {isOpen && <MoreFilters search={search} errors={errors} onChange={changeFilters} hasRange={false} />}
      <ActiveFilters search={search} onChange={changeFilters} shown={otherFilterNames} cleared={otherFilterNames} />
    </div>
  )
}
