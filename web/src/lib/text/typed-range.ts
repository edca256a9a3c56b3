import { fromLocalInput, toLocalInput } from './zoned-time.ts'

export type RangeEnd = 'from' | 'to'
export const rangeEnds: readonly RangeEnd[] = ['from', 'to']

/** ISO times. */
export type RangeTimes = { from?: string | undefined; to?: string | undefined }
type RangeErrors = Partial<Record<RangeEnd, string>>

/** The content of a `datetime-local` control; a partly typed time has no value. */
export type TypedTime = { value: string; isPartial: boolean }

/** The years that the API accepts; a year that is being typed begins with zeros. */
const knownYear = /^(19[7-9]|20\d|21\d)\d-/

export const localTime = (iso: string | undefined, zone: string) => (iso ? toLocalInput(iso, zone) : '')

/**
 * Reads both ends of a typed range.
 * @param known the range in use: an end that was not changed keeps its seconds
 * @param isOpen whether one end may be missing
 */
export function readTypedRange(
  typed: Record<RangeEnd, TypedTime>,
  { known, zone, isOpen }: { known: RangeTimes; zone: string; isOpen: boolean },
): { range: RangeTimes; errors: RangeErrors } {
  const range: RangeTimes = {}
  const errors: RangeErrors = {}
  for (const end of rangeEnds) {
    const { value, isPartial } = typed[end]
    const isMissing = value === '' && !isPartial
    if (isMissing && isOpen) continue
    if (isPartial || isMissing) errors[end] = 'Enter a whole date and time'
    else if (!knownYear.test(value)) errors[end] = 'Enter a year from 1970 to 2199'
    else range[end] = value === localTime(known[end], zone) ? known[end] : fromLocalInput(value, zone)
  }
  if (Object.keys({ ...range, ...errors }).length === 0) errors.from = 'Enter a date and time at one end'
  if (range.from && range.to && Date.parse(range.from) >= Date.parse(range.to)) {
    errors.to = 'The range ends before it begins'
  }
  return { range, errors }
}
