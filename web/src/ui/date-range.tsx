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
  className: string
}

/** Two times in the user's zone. The range changes when both are complete and in order; else the fields show errors. */
export function DateRange(props: DateRangeProps) {
  const { labels = usualLabels, isOpen, onChange, className } = props
  const zone = useTimeZone()
  const given = wholeTimes(props.range, zone)
  const [shown, setShown] = useState(given)
  // What was typed here comes back as `range` a moment later, when the next part may already be typed.
  const [pending, setPending] = useState<RangeTimes>()
  const [written, setWritten] = useState(given)
  const [typed, setTyped] = useState(given)
  const [checked, setChecked] = useState(given)
  if (!isSameRange(shown, given)) {
    setShown(given)
    setPending(undefined)
    if (!pending || !isSameRange(wholeTimes(pending, zone), given)) {
      setWritten(given)
      setTyped(given)
      setChecked(given)
    }
  }
  const latest = pending ?? props.range
  const read = (times: TypedRange) => readTypedRange(times, { known: latest, zone, isOpen })
  const { errors } = read(checked)

  function commit(times: TypedRange) {
    setTyped(times)
    setChecked(times)
    const { range, errors: found } = read(times)
    const isValid = Object.keys(found).length === 0
    if (!isValid || (range.from === latest.from && range.to === latest.to)) return
    setPending(range)
    onChange(range)
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
                written={written[end]}
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

type TypedRange = Record<RangeEnd, TypedTime>

const wholeTimes = ({ from, to }: RangeTimes, zone: string): TypedRange => ({
  from: { value: localTime(from, zone), isPartial: false },
  to: { value: localTime(to, zone), isPartial: false },
})

const isSameRange = (one: TypedRange, other: TypedRange) =>
  rangeEnds.every((end) => one[end].value === other[end].value)

/** Keeps the browser's text until `written` changes: writing the same time again would interrupt the typing. */
function TimeInput({ written, ...rest }: ComponentProps<typeof Input> & { written: TypedTime }) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (input.current && input.current.value !== written.value) input.current.value = written.value
  }, [written])
  return <Input {...rest} ref={input} type="datetime-local" max="2199-12-31T23:59" />
}
