import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { LogValues } from '#schemas/log-values.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { formatCompact, formatCount, formatCounted } from '#web/lib/text/format.ts'
import { chosenValues, chooseValues, isExcluded, type ValueField } from '../filter-values.ts'
import type { LogFilters, LogSearch } from '../log-search.ts'
import { fieldLabel, useValueNames } from './value-fields.ts'

type SectionProps = { field: ValueField; isOpenAtFirst: boolean; children: ReactNode }

/** A field of the panel; its content is there while it is open. */
export function ValueSection({ field, isOpenAtFirst, children }: SectionProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <section aria-label={fieldLabel(field)} className="border-b border-line last:border-b-0">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex h-11 w-full items-center gap-1.5 px-3 text-left font-medium hover:bg-subtle focus-visible:-outline-offset-2 md:h-9"
        >
          <ChevronRight
            aria-hidden="true"
            className={classNames('size-4 shrink-0 text-muted', isOpen && 'rotate-90')}
          />
          <span className="truncate">{fieldLabel(field)}</span>
        </button>
      </h3>
      <div id={id}>{isOpen && children}</div>
    </section>
  )
}

type ValueListProps = {
  field: ValueField
  counted: LogValues[number]
  search: LogSearch
  onChange: (change: LogFilters) => void
}

const shownAtFirst = 8

/** Values with their request counts; several can be chosen, or excluded. */
export function ValueList({ field, counted, search, onChange }: ValueListProps) {
  const [isWhole, setWhole] = useState(false)
  const chosen = chosenValues(search, field)
  // Chosen values stay in the list when nothing matches them any more.
  const missing = chosen.filter((value) => !counted.values.some((each) => each.value === value))
  const values = [...counted.values, ...missing.map((value) => ({ value, requests: 0 }))]
  const nameOf = useValueNames(
    field,
    values.map(({ value }) => value),
  )
  const shown = isWhole ? values : values.filter(({ value }, at) => at < shownAtFirst || chosen.includes(value))
  const max = Math.max(1, ...values.map(({ requests }) => requests))
  const toggle = (value: string) =>
    chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]
  const { others } = counted

  if (values.length === 0) return <p className="px-3 pb-3 text-xs text-muted">No values in this range</p>
  return (
    <div className="pb-2">
      <ul>
        {shown.map(({ value, requests }) => (
          <li key={value}>
            <label className="relative flex min-h-11 cursor-pointer items-center gap-2 px-3 text-xs hover:bg-subtle md:min-h-7">
              <span
                aria-hidden="true"
                className="absolute inset-y-0.5 left-0 bg-accent-soft"
                style={{ width: `${(requests / max) * 100}%` }}
              />
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={() => onChange(chooseValues(search, field, toggle(value)))}
                className="relative size-4 shrink-0 accent-accent-fill"
              />
              <span translate="no" className="relative min-w-0 flex-1 truncate" title={nameOf(value)}>
                {nameOf(value)}
              </span>
              <span className="relative font-mono tabular-nums" title={formatCounted(requests, 'request')}>
                {formatCompact(requests)}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-x-3 px-3 text-xs">
        {values.length > shownAtFirst && (
          <button
            type="button"
            onClick={() => setWhole(!isWhole)}
            className="min-h-11 text-accent hover:underline md:min-h-7"
          >
            {isWhole ? 'Show fewer' : `Show all ${formatCount(values.length)}`}
          </button>
        )}
        {chosen.length > 0 && (
          <label className="flex min-h-11 cursor-pointer items-center gap-2 md:min-h-7">
            <input
              type="checkbox"
              checked={isExcluded(search, field)}
              onChange={(event) => onChange(chooseValues(search, field, chosen, event.target.checked))}
              className="size-4 accent-accent-fill"
            />
            Exclude these
          </label>
        )}
        {others.values > 0 && (
          <span className="py-1 text-muted">
            {formatCounted(others.values, 'other')}, {formatCounted(others.requests, 'request')}
          </span>
        )}
      </div>
    </div>
  )
}
