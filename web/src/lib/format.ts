const count = new Intl.NumberFormat('en')
const percent = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const dateTime = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
  timeZone: 'UTC',
})
const minute = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
})
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const usd = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 4,
  maximumFractionDigits: 6,
})

export const formatCount = (value: number) => count.format(value)

/** A value from 0 to 100 with one decimal, as in "98.4%". */
export const formatPercent = (value: number) => `${percent.format(value)}%`

/** Takes an ISO 8601 time; shows it in UTC, the default timezone of the preferences. */
export const formatDateTime = (iso: string) => dateTime.format(new Date(iso))

export const formatMinute = (iso: string) => minute.format(new Date(iso))

export const formatDate = (iso: string) => date.format(new Date(iso))

export const formatNanoUsd = (nano: number) => usd.format(nano / 1e9)

/** Indents JSON; leaves every other text as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
