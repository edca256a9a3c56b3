import { X } from 'lucide-react'
import { type CredentialName, credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { formatCount, formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import type { FilterParameter } from '#schemas/log-names.ts'
import { filterNames, type LogSearch, moreFilterNames, statusLabels } from './log-search.ts'
import { outcomeLabels } from './outcome-labels.ts'
import { rangeLabels } from '#web/lib/time-ranges.ts'

type ActiveFiltersProps = {
  search: LogSearch
  onChange: (change: Partial<LogSearch>) => void
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
            onClick={() => onChange({ [name]: undefined })}
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
          onClick={() => onChange(Object.fromEntries(cleared.map((name) => [name, undefined])))}
          className="h-11 px-2 text-xs font-medium text-accent hover:underline md:h-7"
        >
          Clear all
        </button>
      </li>
    </ul>
  )
}

function describe(
  search: LogSearch,
  { keys, tokens }: ReturnType<typeof useCredentialNames>,
  zone: string,
): Record<FilterParameter, string | undefined | false> {
  return {
    search: search.search && `Search ${visibleLine(search.search)}`,
    status: search.status && search.status !== 'all' && statusLabels[search.status],
    method: search.method && search.method !== 'all' && search.method,
    mode: search.mode && 'Parts of words',
    range: search.range && rangeLabels[search.range],
    from: search.from && `From ${formatTime('minute', search.from, zone)}`,
    to: search.to && `To ${formatTime('minute', search.to, zone)}`,
    model: search.model && `Model ${visibleLine(search.model)}`,
    endpoint: search.endpoint && `Endpoint ${visibleLine(search.endpoint)}`,
    token: search.token && `Token ${credentialText(tokens, search.token)}`,
    key: search.key && `Key ${credentialText(keys, search.key)}`,
    statusCode: search.statusCode !== undefined && `Status ${search.statusCode}`,
    minTime: search.minTime !== undefined && `At least ${formatCount(search.minTime)} ms`,
    maxTime: search.maxTime !== undefined && `At most ${formatCount(search.maxTime)} ms`,
    outcome: search.outcome && outcomeLabels[search.outcome],
    errorCode: search.errorCode && `Error code ${visibleLine(search.errorCode)}`,
    cache: search.cache && `Cache ${search.cache}`,
    retried: search.retried && (search.retried === 'true' ? 'Retried' : 'Not retried'),
    cost: search.cost && `Cost ${search.cost}`,
    tag: search.tag?.map(visibleLine).join(', '),
    not: search.not && `Not ${visibleLine(search.not)}`,
  }
}

const credentialText = (list: readonly CredentialName[], id: string) =>
  id === 'none' ? 'none' : visibleLine(credentialName(list, id))
