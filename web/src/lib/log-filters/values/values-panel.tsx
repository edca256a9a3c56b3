import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { LogValues } from '#schemas/log-values.ts'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { areUsable } from '../filter-errors.ts'
import { chosenValues, tagField, type ValueField } from '../filter-values.ts'
import { valuesQuery } from '../log-facet-queries.ts'
import type { LogFilters, LogSearch } from '../log-search.ts'
import { rollupFields, rowFields } from './value-fields.ts'
import { ValueList, ValueSection } from './value-section.tsx'

type ValuesPanelProps = { search: LogSearch; onChange: (change: LogFilters) => void }

/** The fields of the matching requests, with the number of requests per value. */
export function ValuesPanel({ search, onChange }: ValuesPanelProps) {
  const isUsable = areUsable(search)
  const rollups = useQuery(valuesQuery(search, rollupFields))
  const rows = useQuery(valuesQuery(search, rowFields))
  const tagKeys = rows.data?.find(({ field }) => field === 'tag')?.values.map(({ value }) => value) ?? []
  const tags = new Set([...tagKeys.map((key) => `tag:${key}` as const), ...(search.tag ?? []).map(tagField)])
  if (!isUsable && !rollups.data) return <p className="p-3 text-xs text-muted">These filters can’t be used.</p>
  return (
    <>
      {rollupFields.map((field) => (
        <ValueSection key={field} field={field} isOpenAtFirst>
          <Values field={field} query={rollups} search={search} onChange={onChange} />
        </ValueSection>
      ))}
      {rowFields.map(
        (field) =>
          field !== 'tag' && (
            <ValueSection key={field} field={field} isOpenAtFirst>
              <Values field={field} query={rows} search={search} onChange={onChange} />
            </ValueSection>
          ),
      )}
      {[...tags].map((field) => (
        <ValueSection key={field} field={field} isOpenAtFirst={chosenValues(search, field).length > 0}>
          <TagValues field={field} search={search} onChange={onChange} />
        </ValueSection>
      ))}
    </>
  )
}

/** Values of a tag are counted when its section is opened. */
const TagValues = ({ field, ...props }: ValuesPanelProps & { field: `tag:${string}` }) => (
  <Values field={field} query={useQuery(valuesQuery(props.search, [field]))} {...props} />
)

type ValuesProps = ValuesPanelProps & { field: ValueField; query: UseQueryResult<LogValues> }

const Values = ({ field, query, search, onChange }: ValuesProps) => (
  <QueryView query={query} skeleton={<Skeleton className="mx-3 mb-3 h-12" />} errorTitle="Not counted">
    {(counted) => {
      const ofField = counted.find((each) => each.field === field)
      return ofField && <ValueList field={field} counted={ofField} search={search} onChange={onChange} />
    }}
  </QueryView>
)
