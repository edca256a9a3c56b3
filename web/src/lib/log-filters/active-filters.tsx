import { X } from 'lucide-react'
import type { FilterParameter } from '#schemas/log-names.ts'
import { RequestOutcome } from '#schemas/request-outcome.ts'
import { type CredentialName, credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { formatCount, formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { chosenValues, isExcluded, type ListFilter, removeFilter } from './filter-values.ts'
import { filterNames, moreFilterNames } from './log-params.ts'
import { type LogFilters, statusLabels } from './log-search.ts'
import { outcomeLabels } from './outcome-labels.ts'
import { rangeLabels } from '#web/lib/time-ranges.ts'

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
  const texts = describe(search, useCredentialNames(), useTimeZone())
  const active = shown.flatMap((name) => (texts[name] ? [{ name, text: texts[name] }] : []))
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

function describe(
  search: LogFilters,
  { keys, tokens }: ReturnType<typeof useCredentialNames>,
  zone: string,
): Record<FilterParameter, string | undefined | false> {
  const named = (field: ListFilter, label: string, textOf: (value: string) => string) => {
    const values = chosenValues(search, field).map((value) => (value === '' ? 'none' : textOf(value)))
    const words = [label, isExcluded(search, field) && 'not', values.join(', ')]
    return values.length > 0 && words.filter(Boolean).join(' ')
  }
  return {
    search: search.search && `Search ${visibleLine(search.search)}`,
    status: search.status && search.status !== 'all' && statusLabels[search.status],
    method: search.method && search.method !== 'all' && search.method,
    mode: search.mode && modeLabels[search.mode],
    range: search.range && rangeLabels[search.range],
    from: search.from && `From ${formatTime('minute', search.from, zone)}`,
    to: search.to && `To ${formatTime('minute', search.to, zone)}`,
    model: search.model === '' ? 'No model' : named('model', 'Model', visibleLine),
    endpoint: named('endpoint', 'Endpoint', visibleLine),
    token: named('token', 'Token', (id) => credentialText(tokens, id)),
    key: named('key', 'Key', (id) => credentialText(keys, id)),
    statusCode: named('statusCode', 'Status', visibleLine),
    minTime: search.minTime !== undefined && `At least ${formatCount(search.minTime)} ms`,
    maxTime: search.maxTime !== undefined && `At most ${formatCount(search.maxTime)} ms`,
    outcome: named('outcome', '', outcomeText),
    errorCode: named('errorCode', 'Error code', visibleLine),
    cache: named('cache', 'Cache', visibleLine),
    retried: search.retried && (search.retried === 'true' ? 'Retried' : 'Not retried'),
    failedOver: search.failedOver && (search.failedOver === 'true' ? 'Failed over' : 'Not failed over'),
    cost: search.cost && `Cost ${search.cost}`,
    tag: search.tag
      ?.map((tag) => (isExcluded(search, tagField(tag)) ? `not ${visibleLine(tag)}` : visibleLine(tag)))
      .join(', '),
    not: undefined,
  }
}

const modeLabels = { words: 'Whole words', substring: 'Exact text' }

const outcomeText = (value: string) => {
  const outcome = RequestOutcome.safeParse(value).data
  return outcome ? outcomeLabels[outcome] : value
}

const tagField = (tag: string) => `tag:${tag.slice(0, tag.indexOf(':'))}` as const

const credentialText = (list: readonly CredentialName[], id: string) =>
  id === 'none' ? 'none' : visibleLine(credentialName(list, id))
