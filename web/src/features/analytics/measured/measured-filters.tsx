import { useState } from 'react'
import { ActiveFilters } from '#web/lib/log-filters/active-filters.tsx'
import type { FilterErrors } from '#web/lib/log-filters/filter-errors.ts'
import { FirstFilters } from '#web/lib/log-filters/first-filters.tsx'
import { moreFilterNames } from '#web/lib/log-filters/log-params.ts'
import type { LogFilters } from '#web/lib/log-filters/log-search.ts'
import { MoreFilters } from '#web/lib/log-filters/more-filters.tsx'
import { type AnalyticsSearch, measuredFilters, otherFilterNames } from '../analytics-search.ts'
import { GroupBy } from './group-by.tsx'

type MeasuredFiltersProps = {
  search: AnalyticsSearch
  errors: FilterErrors
  onChange: (change: Partial<AnalyticsSearch>) => void
  areValuesOpen: boolean
  onValuesOpenChange: (open: boolean) => void
}

const counted = moreFilterNames.filter((name) => otherFilterNames.includes(name))

/** The filters of Request Logs, and what the numbers are grouped by. */
export function MeasuredFilters({ search, errors, onChange, ...values }: MeasuredFiltersProps) {
  const [isChosenOpen, setOpen] = useState(false)
  const isOpen = isChosenOpen || Object.keys(errors).length > 0
  const changeFilters = ({ range: _range, ...change }: LogFilters) => onChange(change)
  return (
    <div className="flex flex-col gap-3">
      <div className="print:hidden">
        <FirstFilters
          search={search}
          onChange={changeFilters}
          more={counted}
          isMoreOpen={isOpen}
          onMoreOpenChange={setOpen}
          {...values}
        >
          <GroupBy
            value={search.groupBy}
            filters={measuredFilters(search)}
            onChange={(groupBy) => onChange({ groupBy })}
          />
        </FirstFilters>
      </div>
      {errors.search && <p className="text-xs text-danger">{errors.search}</p>}
      {isOpen && <MoreFilters search={search} errors={errors} onChange={changeFilters} hasRange={false} />}
      <ActiveFilters search={search} onChange={changeFilters} shown={otherFilterNames} cleared={otherFilterNames} />
    </div>
  )
}
