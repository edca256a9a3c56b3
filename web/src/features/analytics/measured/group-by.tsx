import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { GroupBy as Group } from '#schemas/analytics.ts'
import { groupings } from '#schemas/log-names.ts'
import { TagField } from '#schemas/request-logs.ts'
import { valuesQuery } from '#web/lib/log-filters/log-facet-queries.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { LazyInput } from '#web/ui/lazy-input.tsx'
import { Select } from '#web/ui/select.tsx'
import { isTag } from '#web/lib/log-filters/filter-values.ts'
import { groupLabel } from './group-values.ts'

type GroupByProps = { value: Group | undefined; filters: LogSearch; onChange: (groupBy: Group | undefined) => void }

const options = [
  { value: 'none', label: 'No groups' },
  ...groupings.map((value) => ({ value, label: groupLabel(value) })),
  { value: 'tag', label: 'Tag' },
] as const

/** Selects what the numbers are grouped by; tags are grouped by any key. */
export function GroupBy({ value, filters, onChange }: GroupByProps) {
  const { data = [] } = useQuery(valuesQuery(filters, ['tag']))
  const keys = data.flatMap(({ values }) => values.map((each) => each.value))
  const tag = value && isTag(value) ? value : undefined

  function choose(next: (typeof options)[number]['value']) {
    if (next === 'none') return onChange(undefined)
    onChange(next === 'tag' ? `tag:${keys[0] ?? 'customer'}` : next)
  }

  return (
    <>
      <Select
        aria-label="Group by"
        value={tag ? 'tag' : ((value as Exclude<Group, `tag:${string}`> | undefined) ?? 'none')}
        onValueChange={choose}
        options={options}
        className="md:w-32"
      />
      {tag && <TagKey value={tag.slice(4)} keys={keys} onCommit={onChange} />}
    </>
  )
}

type TagKeyProps = { value: string; keys: readonly string[]; onCommit: (field: Group) => void }

function TagKey({ value, keys, onCommit }: TagKeyProps) {
  const [isWrong, setWrong] = useState(false)
  const [known, setKnown] = useState(value)
  const id = useId()
  // Another value has taken the place of the typed text.
  if (value !== known) {
    setKnown(value)
    setWrong(false)
  }
  return (
    <div className="md:w-36">
      <LazyInput
        aria-label="Key of the tag"
        aria-invalid={isWrong}
        aria-describedby={`${id}-error`}
        list={`${id}-keys`}
        maxLength={64}
        value={value}
        onCommit={(text) => {
          const field = TagField.safeParse(`tag:${text}`).data
          setWrong(!field)
          if (field) onCommit(field)
        }}
        className="font-mono md:text-xs"
      />
      <datalist id={`${id}-keys`}>
        {keys.map((key) => (
          <option key={key}>{key}</option>
        ))}
      </datalist>
      <div id={`${id}-error`} aria-live="polite" className="mt-1 text-xs text-danger empty:hidden">
        {isWrong && 'Letters, digits, _, . and - only'}
      </div>
    </div>
  )
}
