import { X } from 'lucide-react'
import { type CredentialName, credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { formatCount, formatMinute } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/text/time-zone.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { filterNames, type LogSearch, type MoreFilter, moreFilterNames } from './log-search.ts'
import { outcomeLabels } from '../details/outcome-labels.ts'
import { rangeLabels } from './range-labels.ts'

type ActiveFiltersProps = { search: LogSearch; onChange: (change: Partial<LogSearch>) => void }

/** What narrows the list beyond the first row, each with a way out of it. */
export function ActiveFilters({ search, onChange }: ActiveFiltersProps) {
  const { keys, tokens } = useCredentialNames()
  useTimeZone()
  const active = moreFilterNames.flatMap((name) => {
    const text = describe(name, search, keys, tokens)
    return text ? [{ name, text }] : []
  })
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
          onClick={() => onChange(Object.fromEntries(filterNames.map((name) => [name, undefined])))}
          className="h-11 px-2 text-xs font-medium text-accent hover:underline md:h-7"
        >
          Clear all
        </button>
      </li>
    </ul>
  )
}

function describe(
  name: MoreFilter,
  search: LogSearch,
  keys: readonly CredentialName[],
  tokens: readonly CredentialName[],
) {
  const texts: Record<MoreFilter, string | undefined | false> = {
    mode: search.mode && 'Parts of words',
    range: search.range && rangeLabels[search.range],
    from: search.from && `From ${formatMinute(search.from)}`,
    to: search.to && `To ${formatMinute(search.to)}`,
    model: search.model && `Model ${visibleLine(search.model)}`,
    endpoint: search.endpoint && `Endpoint ${visibleLine(search.endpoint)}`,
    token: search.token && `Token ${credentialText(tokens, search.token)}`,
    key: search.key && `Key ${credentialText(keys, search.key)}`,
    statusCode: search.statusCode !== undefined && `Status ${search.statusCode}`,
    minTime: search.minTime !== undefined && `At least ${formatCount(search.minTime)} ms`,
    maxTime: search.maxTime !== undefined && `At most ${formatCount(search.maxTime)} ms`,
    outcome: search.outcome && outcomeLabels[search.outcome],
  }
  return texts[name]
}

const credentialText = (list: readonly CredentialName[], id: string) =>
  id === 'none' ? 'none' : visibleLine(credentialName(list, id))
