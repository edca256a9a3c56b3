import type { ComponentProps, ReactNode } from 'react'
import { RequestOutcome } from '#schemas/request-outcome.ts'
import { day } from '#schemas/time-range.ts'
import { type CredentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { fromLocalInput, toLocalInput } from '#web/lib/text/zoned-time.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { LazyInput } from '#web/ui/lazy-input.tsx'
import { Select, type SelectProps } from '#web/ui/select.tsx'
import type { LogSearch } from './log-search.ts'
import { outcomeLabels } from './outcome-labels.ts'
import { type LogRange, logRanges, rangeLabels } from '#web/lib/time-ranges.ts'

type MoreFiltersProps = {
  search: LogSearch
  onChange: (change: Partial<LogSearch>) => void
  /** Whether the time range is chosen here. */
  hasRange?: boolean
}

const any = { value: 'any', label: 'Any' } as const
const number = (text: string) =>
  text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Math.max(0, Math.round(Number(text)))

export function MoreFilters({ search, onChange, hasRange = true }: MoreFiltersProps) {
  const { keys, tokens } = useCredentialNames()
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
          value={isCustom ? 'custom' : (search.range ?? 'any')}
          onValueChange={(value) => onChange(rangeChange(value))}
          options={[
            { value: 'any', label: 'All time' },
            ...logRanges.map((range) => ({ value: range, label: rangeLabels[range] })),
            { value: 'custom', label: 'Custom' },
          ]}
        />
      )}
      {isCustom && <CustomRange search={search} onChange={onChange} />}
      <TextFilter
        label="Model"
        placeholder="gpt-4o"
        maxLength={200}
        className="font-mono md:text-xs"
        value={search.model ?? ''}
        onCommit={(model) => onChange({ model: model.trim() })}
      />
      <TextFilter
        label="Endpoint"
        placeholder="/v1/embeddings"
        maxLength={500}
        className="font-mono md:text-xs"
        value={search.endpoint ?? ''}
        onCommit={(endpoint) => onChange({ endpoint: endpoint.trim() })}
      />
      <ChoiceFilter
        label="Token"
        value={search.token ?? 'any'}
        onValueChange={(token) => onChange({ token: token === 'any' ? undefined : token })}
        options={credentials(tokens, search.token)}
      />
      <ChoiceFilter
        label="API key"
        value={search.key ?? 'any'}
        onValueChange={(key) => onChange({ key: key === 'any' ? undefined : key })}
        options={credentials(keys, search.key)}
      />
      <TextFilter
        label="Status code"
        inputMode="numeric"
        pattern="[0-9]*"
        maxLength={3}
        placeholder="429"
        value={search.statusCode?.toString() ?? ''}
        onCommit={(text) => onChange({ statusCode: number(text) })}
      />
      <TextFilter
        label="Slower than, ms"
        inputMode="numeric"
        maxLength={8}
        placeholder="0"
        value={search.minTime?.toString() ?? ''}
        onCommit={(text) => onChange({ minTime: number(text) })}
      />
      <TextFilter
        label="Faster than, ms"
        inputMode="numeric"
        maxLength={8}
        placeholder="No limit"
        value={search.maxTime?.toString() ?? ''}
        onCommit={(text) => onChange({ maxTime: number(text) })}
      />
      <ChoiceFilter
        label="Search for"
        value={search.mode ?? 'words'}
        onValueChange={(mode) => onChange(modeChange(mode, search))}
        options={[
          { value: 'words', label: 'Whole words' },
          { value: 'substring', label: 'Parts of words' },
        ]}
      />
      <ChoiceFilter
        label="Outcome"
        value={search.outcome ?? 'any'}
        onValueChange={(outcome) => onChange({ outcome: outcome === 'any' ? undefined : outcome })}
        options={[any, ...RequestOutcome.options.map((value) => ({ value, label: outcomeLabels[value] }))]}
      />
    </section>
  )
}

const Filter = ({ label, children }: { label: string; children: (control: { id: string }) => ReactNode }) => (
  <Field label={label} error={undefined}>
    {({ id }) => children({ id })}
  </Field>
)

const TextFilter = ({ label, ...input }: ComponentProps<typeof LazyInput> & { label: string }) => (
  <Filter label={label}>{(control) => <LazyInput {...control} {...input} />}</Filter>
)

const ChoiceFilter = <Value extends string>({ label, ...select }: SelectProps<Value> & { label: string }) => (
  <Filter label={label}>{(control) => <Select {...control} {...select} />}</Filter>
)

function CustomRange({ search, onChange }: MoreFiltersProps) {
  const zone = useTimeZone()
  return (['from', 'to'] as const).map((end) => (
    <Filter key={end} label={end === 'from' ? `From, ${zone}` : `To, ${zone}`}>
      {(control) => (
        <Input
          {...control}
          type="datetime-local"
          value={search[end] ? toLocalInput(search[end], zone) : ''}
          onChange={(event) => onChange({ [end]: fromLocalInput(event.target.value, zone) })}
        />
      )}
    </Filter>
  ))
}

function rangeChange(value: LogRange | 'any' | 'custom'): Partial<LogSearch> {
  const none = { range: undefined, from: undefined, to: undefined }
  if (value === 'any') return none
  if (value !== 'custom') return { ...none, range: value }
  const now = Date.now()
  return { ...none, from: new Date(now - day).toISOString(), to: new Date(now).toISOString() }
}

/** A substring search uses no index, so it requires a time range. */
function modeChange(mode: 'words' | 'substring', { range, from, to }: LogSearch): Partial<LogSearch> {
  if (mode === 'words') return { mode: undefined }
  return (range ?? from ?? to) ? { mode } : { mode, range: '7d' }
}

/** A link can refer to a deleted credential, which gets an option of its own. */
function credentials(list: readonly CredentialName[], chosen: string | undefined) {
  const options = list.map(({ id, name }) => ({ value: id, label: visibleLine(name) }))
  const isKnown = chosen === undefined || chosen === 'none' || list.some(({ id }) => id === chosen)
  return [
    any,
    ...options,
    { value: 'none', label: 'None' },
    ...(isKnown ? [] : [{ value: chosen, label: `***${chosen}` }]),
  ]
}
