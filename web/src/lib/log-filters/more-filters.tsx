import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { joinList } from '#schemas/list-text.ts'
import { RequestOutcome } from '#schemas/request-outcome.ts'
import { day } from '#schemas/units.ts'
import { type CredentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { gatewayNow } from '#web/lib/browser/gateway-clock.ts'
import { readTypedList } from '#web/lib/text/typed-list.ts'
import { TokenSelect, toOption } from '#web/lib/tokens/token-select.tsx'
import { DateRange } from '#web/ui/date-range.tsx'
import { Field } from '#web/ui/field.tsx'
import { LazyInput } from '#web/ui/lazy-input.tsx'
import { Select, type SelectProps, withOption } from '#web/ui/select.tsx'
import { type FilterErrors, invalidFilters } from './filter-errors.ts'
import { type ListFilter, removeFilter } from './filter-values.ts'
import { valuesQuery } from './log-facet-queries.ts'
import type { LogFilters } from './log-search.ts'
import { outcomeLabels } from './outcome-labels.ts'
import { type LogRange, logRanges, rangeLabels } from '#web/lib/time-ranges.ts'

type FilterProps = { search: LogFilters; errors: FilterErrors; onChange: (change: LogFilters) => void }

type MoreFiltersProps = FilterProps & {
  /** Whether the time range is chosen here. */
  hasRange?: boolean
}

const any = { value: 'any', label: 'Any' } as const
const without = { value: 'none', label: 'None' } as const

export function MoreFilters({ search, errors, onChange, hasRange = true }: MoreFiltersProps) {
  const { keys } = useCredentialNames()
  const props = { search, errors, onChange }
  const choose = (field: ListFilter, value: string | undefined) =>
    onChange(value ? { [field]: value } : removeFilter(search, field))
  const isCustom = hasRange && (search.from !== undefined || search.to !== undefined)
  return (
    <section
      id="more-filters"
      aria-label="More filters"
      className="grid grid-cols-2 gap-x-3 gap-y-4 rounded-panel border border-line bg-surface p-4 md:grid-cols-4"
    >
      {hasRange && (
        <ChoiceFilter
          label="Time range"
          error={errors.range}
          value={isCustom ? 'custom' : (search.range ?? 'any')}
          onValueChange={(value) => onChange(rangeChange(value))}
          options={[
            { value: 'any', label: 'All time' },
            ...logRanges.map((range) => ({ value: range, label: rangeLabels[range] })),
            { value: 'custom', label: 'Custom' },
          ]}
        />
      )}
      {isCustom && (
        <DateRange
          range={search}
          isOpen
          onChange={({ from, to }) => onChange({ from, to })}
          className="col-span-2 grid gap-x-3 gap-y-4 md:grid-cols-2"
        />
      )}
      <TextFilter
        label="Model"
        error={errors.model}
        placeholder="gpt-4o"
        maxLength={2_000}
        list="logged-models"
        className="font-mono md:text-xs"
        value={search.model ?? ''}
        onCommit={(model) => choose('model', model.trim())}
      />
      <TextFilter
        label="Endpoint"
        error={errors.endpoint}
        placeholder="/v1/embeddings"
        maxLength={2_000}
        list="logged-endpoints"
        className="font-mono md:text-xs"
        value={search.endpoint ?? ''}
        onCommit={(endpoint) => choose('endpoint', endpoint.trim())}
      />
      <Suggestions search={search} />
      <Field label="Token">
        {(control) => (
          <TokenSelect
            {...control}
            value={search.token ?? 'any'}
            onValueChange={(token) => choose('token', token === 'any' ? undefined : token)}
            unknown={`***${search.token}`}
            first={[any]}
            last={[without, ...severalOption(search.token)]}
          />
        )}
      </Field>
      <ChoiceFilter
        label="API key"
        value={search.key ?? 'any'}
        onValueChange={(key) => choose('key', key === 'any' ? undefined : key)}
        options={credentials(keys, search.key)}
      />
      <NumberFilter {...props} label="Status code" name="statusCode" maxLength={79} placeholder="429" />
      <NumberFilter {...props} label="Slower than, ms" name="minTime" maxLength={8} placeholder="0" />
      <NumberFilter {...props} label="Faster than, ms" name="maxTime" maxLength={8} placeholder="No limit" />
      <ChoiceFilter
        label="Search for"
        error={errors.mode}
        value={search.mode ?? 'parts'}
        onValueChange={(mode) => onChange(modeChange(mode, search))}
        options={[
          { value: 'parts', label: 'Parts of words' },
          { value: 'words', label: 'Whole words' },
          { value: 'substring', label: 'Exact text' },
        ]}
      />
      <ChoiceFilter
        label="Retries"
        value={search.failedOver === 'true' ? 'failedOver' : (search.retried ?? 'any')}
        onValueChange={(value) =>
          onChange({
            retried: value === 'true' || value === 'false' ? value : undefined,
            failedOver: value === 'failedOver' ? 'true' : undefined,
          })
        }
        options={[
          any,
          { value: 'false', label: 'Not retried' },
          { value: 'true', label: 'Retried' },
          { value: 'failedOver', label: 'Failed over to another key' },
        ]}
      />
      <ChoiceFilter
        label="Outcome"
        value={search.outcome ?? 'any'}
        onValueChange={(outcome) => choose('outcome', outcome === 'any' ? undefined : outcome)}
        options={[
          any,
          ...RequestOutcome.options.map((value) => ({ value, label: outcomeLabels[value] })),
          ...severalOption(search.outcome),
        ]}
      />
    </section>
  )
}

/** The models and endpoints of the matching requests. */
function Suggestions({ search }: { search: LogFilters }) {
  const { data = [] } = useQuery(valuesQuery(search, ['model', 'endpoint']))
  return data.map(({ field, values }) => (
    <datalist key={field} id={`logged-${field}s`}>
      {values.map(({ value }) => value && <option key={value}>{joinList([value])}</option>)}
    </datalist>
  ))
}

type Labelled = { label: string; error?: string | undefined }

const TextFilter = ({ label, error, ...input }: ComponentProps<typeof LazyInput> & Labelled) => (
  <Field label={label} error={error}>
    {(control) => <LazyInput {...control} {...input} />}
  </Field>
)

const ChoiceFilter = <Value extends string>({ label, error, ...select }: SelectProps<Value> & Labelled) => (
  <Field label={label} error={error}>
    {(control) => <Select {...control} {...select} />}
  </Field>
)

type NumberFilterProps = FilterProps & {
  label: string
  name: 'statusCode' | 'minTime' | 'maxTime'
  maxLength: number
  placeholder: string
}

/** A number, or a list of them, that the API would reject stays in the field, with the reason. */
function NumberFilter({ label, name, search, errors, onChange, ...input }: NumberFilterProps) {
  const value = search[name]?.toString() ?? ''
  const [mistake, setMistake] = useState<string>()
  const [known, setKnown] = useState(value)
  // Another value has taken the place of the typed text.
  if (value !== known) {
    setKnown(value)
    setMistake(undefined)
  }

  function commit(text: string) {
    const typed = text.includes(',') ? readTypedList(text).join(',') : Number(text)
    const change = text.trim() === '' ? removeFilter(search, name) : { [name]: typed }
    const found = invalidFilters({ ...search, ...change })[name]
    setMistake(found)
    if (!found) onChange(change)
  }

  return (
    <TextFilter
      {...input}
      label={label}
      error={mistake ?? errors[name]}
      inputMode="numeric"
      value={value}
      onCommit={commit}
    />
  )
}

function rangeChange(value: LogRange | 'any' | 'custom'): LogFilters {
  const none = { range: undefined, from: undefined, to: undefined }
  if (value === 'any') return none
  if (value !== 'custom') return { ...none, range: value }
  const now = gatewayNow()
  return { ...none, from: new Date(now - day).toISOString(), to: new Date(now).toISOString() }
}

/** A substring search uses no index, so it requires a time range. */
function modeChange(mode: 'parts' | 'words' | 'substring', { range, from, to }: LogFilters): LogFilters {
  if (mode === 'parts') return { mode: undefined }
  if (mode === 'words') return { mode }
  return (range ?? from ?? to) ? { mode } : { mode, range: '7d' }
}

/** Several values can only be chosen in the values panel. */
const severalOption = (chosen: string | undefined) =>
  chosen?.includes(',') ? [{ value: chosen, label: `${chosen.split(',').length} chosen` }] : []

/** A link can refer to a deleted credential, which gets its own option. */
const credentials = (list: readonly CredentialName[], chosen: string = any.value) =>
  withOption([any, ...list.map(toOption), without, ...severalOption(chosen)], chosen, `***${chosen}`)
