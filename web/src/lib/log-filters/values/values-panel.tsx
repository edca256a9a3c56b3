import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
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
        <FieldSection key={field} field={field} query={rollups} search={search} onChange={onChange} />
      ))}
      {rowFields.map(
        (field) =>
          field !== 'tag' && (
            <FieldSection key={field} field={field} query={rows} search={search} onChange={onChange} />
          ),
      )}
      {[...tags].map((field) => (
        <TagSection key={field} field={field} search={search} onChange={onChange} />
      ))}
    </>
  )
}

type FieldSectionProps = ValuesPanelProps & { field: ValueField; query: UseQueryResult<LogValues> }

function FieldSection({ field, query, search, onChange }: FieldSectionProps) {
  const [isOpen, setOpen] = useState(true)
  return (
    <ValueSection field={field} isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
      <Values field={field} query={query} search={search} onChange={onChange} />
    </ValueSection>
  )
}

/** Values of a tag are counted when its section is opened. */
function TagSection({ field, search, onChange }: ValuesPanelProps & { field: `tag:${string}` }) {
  const [isOpen, setOpen] = useState(chosenValues(search, field).length > 0)
  const query = useQuery({ ...valuesQuery(search, [field]), enabled: isOpen && areUsable(search) })
  return (
    <ValueSection field={field} isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
      <Values field={field} query={query} search={search} onChange={onChange} />
    </ValueSection>
  )
}

const Values = ({ field, query, search, onChange }: FieldSectionProps) => (
  <QueryView query={query} skeleton={<Skeleton className="mx-3 mb-3 h-12" />} errorTitle="Not counted">
    {(counted) => {
      const ofField = counted.find((each) => each.field === field)
      return ofField && <ValueList field={field} counted={ofField} search={search} onChange={onChange} />
    }}
  </QueryView>
)
