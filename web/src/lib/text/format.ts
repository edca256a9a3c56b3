import { parseJson } from '#schemas/parse-json.ts'
import { day, hour } from '#schemas/units.ts'
import { gatewayNow } from '../browser/gateway-clock.ts'

const count = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

const styles = {
  second: { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' },
  millisecond: {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  },
  minute: { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' },
  day: { dateStyle: 'medium' },
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  shortDay: { month: 'short', day: 'numeric' },
  hour: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  minuteOfDay: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

export type TimeStyle = keyof typeof styles

// Creating a formatter costs a hundred times as much as using it.
const formatters = new Map<string, Intl.DateTimeFormat>()

/** A moment (ISO 8601 or ms) in a time zone. */
export function formatTime(style: TimeStyle, moment: string | number | Date, zone: string): string {
  const key = `${style} ${zone}`
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat('en', { ...styles[style], timeZone: zone })
  formatters.set(key, formatter)
  return formatter.format(new Date(moment))
}

/** The time of day, with the day unless that is today. */
export function formatRecent(moment: string, zone: string, now = gatewayNow()): string {
  const isToday = formatTime('day', moment, zone) === formatTime('day', now, zone)
  return formatTime(isToday ? 'time' : 'second', moment, zone)
}

export const formatCount = (value: number) => count.format(value)

/** As in "1 event" and "1,200 events". */
export const formatCounted = (value: number, noun: string) => `${count.format(value)} ${noun}${value === 1 ? '' : 's'}`

/** As in "12.4K", for axes. */
export const formatCompact = (value: number) => compact.format(value)

/** A value from 0 to 100 with one decimal, as in "98.4%". */
export const formatPercent = (value: number) => `${percent.format(value)}%`

export const formatMs = (value: number) => `${count.format(Math.round(value))} ms`

const oneDecimal = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
// From where the smaller unit would round to a whole one.
const durations = [
  { unit: 'd', ms: day, from: 23.95 * hour },
  { unit: 'h', ms: hour, from: 59.95 * 60_000 },
  { unit: 'min', ms: 60_000, from: 59_950 },
  { unit: 's', ms: 1_000, from: 999.5 },
]

/** As in "850 ms", "4.2 s" or "1.5 h". */
export function formatDuration(ms: number): string {
  const step = durations.find(({ from }) => ms >= from)
  return step ? `${oneDecimal.format(ms / step.ms)} ${step.unit}` : formatMs(ms)
}

/** An unknown value is shown as `–`. */
export const formatKnown = (value: number | null | undefined, format: (value: number) => string) =>
  value === null || value === undefined ? '–' : format(value)

const sizes = ['B', 'KB', 'MB', 'GB', 'TB']

/** As in "4.9 MB"; a kilobyte is 1,000 bytes. */
export function formatBytes(bytes: number): string {
  const fitting = sizes.findIndex((_, at) => bytes / 1000 ** at < 999.95)
  const step = fitting === -1 ? sizes.length - 1 : fitting
  const value = bytes / 1000 ** step
  return `${step === 0 ? count.format(value) : value.toFixed(1)} ${sizes[step]}`
}

/** Indents JSON; leaves every other text as it is. */
export function formatJson(text: string): string {
  const value = parseJson(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}
