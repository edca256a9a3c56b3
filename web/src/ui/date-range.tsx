import { type ComponentProps, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import {
  localTime,
  type RangeEnd,
  rangeEnds,
  type RangeTimes,
  readTypedRange,
  type TypedTime,
} from '#web/lib/text/typed-range.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { Field } from './field.tsx'
import { Input } from './input.tsx'

const usualLabels = { from: 'From', to: 'To' } satisfies Record<RangeEnd, string>

/** Long enough to type the next part of a date. */
const pauseMs = 1_000

type DateRangeProps = {
  range: RangeTimes
  labels?: Record<RangeEnd, string>
  /** Whether one end may be missing. */
  isOpen: boolean
  onChange: (range: RangeTimes) => void
  className?: string
}

/** Two times in the user's zone. The range changes when both are complete and in order; else the fields show errors. */
export function DateRange(props: DateRangeProps) {
  const { labels = usualLabels, isOpen, onChange, className } = props
  const { from, to } = props.range
  const zone = useTimeZone()
  const shown = { from: localTime(from, zone), to: localTime(to, zone) }
  const [known, setKnown] = useState(shown)
  const [typed, setTyped] = useState({ from: wholeTime(shown.from), to: wholeTime(shown.to) })
  const [checked, setChecked] = useState(typed)
  if (known.from !== shown.from || known.to !== shown.to) {
    const next = { from: wholeTime(shown.from), to: wholeTime(shown.to) }
    setKnown(shown)
    setTyped(next)
    setChecked(next)
  }
  const read = (times: typeof typed) => readTypedRange(times, { known: { from, to }, zone, isOpen })
  const { errors } = read(checked)

  function commit(times: typeof typed) {
    setTyped(times)
    setChecked(times)
    const { range, errors: found } = read(times)
    const isValid = Object.keys(found).length === 0
    if (isValid && (range.from !== from || range.to !== to)) onChange(range)
  }
  const commitNow = useEffectEvent(commit)
  useEffect(() => {
    const timer = setTimeout(() => commitNow(typed), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])

  return (
    <div className={className}>
      {rangeEnds.map((end) => {
        const withInput = (input: HTMLInputElement) => ({
          ...typed,
          [end]: { value: input.value, isPartial: input.validity.badInput },
        })
        return (
          <Field key={end} label={`${labels[end]}, ${zone}`} error={errors[end]}>
            {(control) => (
              <TimeInput
                {...control}
                value={shown[end]}
                onChange={({ currentTarget }) => setTyped(withInput(currentTarget))}
                onKeyDown={({ key, currentTarget }) => key === 'Enter' && commit(withInput(currentTarget))}
                onBlur={({ currentTarget }) => commit(withInput(currentTarget))}
              />
            )}
          </Field>
        )
      })}
    </div>
  )
}

const wholeTime = (value: string): TypedTime => ({ value, isPartial: false })

/** Keeps the browser's text while it shows `value`: writing to it would restart the date that is being typed. */
function TimeInput({ value, ...rest }: ComponentProps<typeof Input> & { value: string }) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (input.current && input.current.value !== value) input.current.value = value
  }, [value])
  return <Input {...rest} ref={input} type="datetime-local" max="2199-12-31T23:59" />
}
