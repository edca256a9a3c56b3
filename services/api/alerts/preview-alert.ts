import { isoTime } from '#core/period.ts'
import { day, hour, minute } from '#core/units.ts'
import type { AlertCondition, AlertPreview } from '#schemas/alerts.ts'
import { isBreached } from '#shared/alerts/evaluate-alert.ts'
import type { AlertMeasureStore } from '#store/clickhouse/analytics/alert-measures.ts'

const quarter = 15 * minute
const previewDays = 30
const firingsShown = 200

type Firing = AlertPreview['firings'][number]

/** Finds out when an alert would have fired in the last 30 days, if evaluated at the end of each quarter hour. */
export async function previewAlert(
  measures: Pick<AlertMeasureStore, 'history'>,
  accountId: string,
  condition: AlertCondition,
): Promise<AlertPreview> {
  const windowMinutes = Math.ceil(condition.windowMinutes / 15) * 15
  if (condition.measure === 'budget') return { windowMinutes, isKnown: false, series: [], firings: [], isCut: false }
  const to = Math.floor(Date.now() / quarter) * quarter
  const from = Math.floor((to - previewDays * day) / hour) * hour
  const { groups, isCut } = await measures.history(accountId, condition, { from, to }, windowMinutes)
  const firings = groups
    .flatMap(({ group, values }) => firingsOf(condition, group, values, from))
    .toSorted((a, b) => a.from.localeCompare(b.from))
  return {
    windowMinutes,
    isKnown: true,
    series: hourly(condition, groups, from, to),
    firings: firings.slice(-firingsShown),
    isCut: isCut || firings.length > firingsShown,
  }
}

/** Without data, the alert keeps its state. */
function firingsOf(
  condition: AlertCondition,
  group: string,
  values: readonly (number | null)[],
  from: number,
): Firing[] {
  const firings: Firing[] = []
  let open: Firing | undefined
  for (const [at, value] of values.entries()) {
    const breached = isBreached(condition, value)
    const end = isoTime(from + (at + 1) * quarter)
    if (breached && !open) {
      open = { group, from: end, to: null }
      firings.push(open)
    } else if (breached === false && open) {
      open.to = end
      open = undefined
    }
  }
  return firings
}

/** One point per hour: the value that comes closest to firing. */
function hourly(
  { comparison }: AlertCondition,
  groups: readonly { values: readonly (number | null)[] }[],
  from: number,
  to: number,
): AlertPreview['series'] {
  return Array.from({ length: Math.ceil((to - from) / hour) }, (_, at) => {
    const values = groups.flatMap((group) => group.values.slice(at * 4, at * 4 + 4)).filter((value) => value !== null)
    const value = comparison === 'over' ? Math.max(...values) : Math.min(...values)
    return { at: isoTime(from + at * hour), value: values.length > 0 ? value : null }
  })
}
