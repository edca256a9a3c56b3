import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { formatMeasure } from '#schemas/alert-texts.ts'
import type { AlertCondition, AlertPreview as Preview } from '#schemas/alerts.ts'
import { axisMs } from '#web/charts/axis-labels.ts'
import { LineChart } from '#web/charts/line-chart.tsx'
import { formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { useSettled } from '#web/lib/browser/use-settled.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { alertPreviewQuery } from './alerts-queries.ts'
import { useGroupName } from './use-group-name.ts'

/** Wait before each query, ms: otherwise every change of the condition would cost one. */
const pauseMs = 600

/** Shows what the alert would have done in the last 30 days. @param condition undefined while it is not valid */
export function AlertPreview({ condition }: { condition: AlertCondition | undefined }) {
  const settled = useSettled(condition && JSON.stringify(condition), pauseMs)
  const shown = useMemo((): AlertCondition | undefined => settled && JSON.parse(settled), [settled])
  return (
    <section aria-label="Preview" className="rounded-control border border-raised-line p-3">
      <h3 className="font-medium">The last 30 days</h3>
      {shown ? <Loaded condition={shown} /> : <p className="text-muted">Shown when the condition is complete.</p>}
    </section>
  )
}

function Loaded({ condition }: { condition: AlertCondition }) {
  const { data, error, isPlaceholderData, refetch } = useQuery(alertPreviewQuery(condition))
  if (error) return <ErrorState title="The preview could not be loaded" error={error} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <>
        <Skeleton className="h-lh w-72 max-w-full" />
        <Skeleton className="mt-2 h-45" />
      </>
    )
  }
  if (!data.isKnown) return <p className="text-muted">What was spent of budgets in the past is not kept.</p>
  return (
    <div className={isPlaceholderData ? 'opacity-60' : ''}>
      <Firings condition={condition} preview={data} />
      <Chart condition={condition} preview={data} />
    </div>
  )
}

type PreviewProps = { condition: AlertCondition; preview: Preview }

const firingsShown = 5

function Firings({ condition, preview: { firings, isCut, windowMinutes } }: PreviewProps) {
  const nameOf = useGroupName(firings.map(({ group }) => group))
  const times = firings.length === 1 ? 'once' : `${firings.length} times`
  return (
    <>
      <output className="block">
        {firings.length === 0 ? 'It would not have fired.' : `It would have fired ${isCut ? 'at least ' : ''}${times}.`}{' '}
        <span className="text-muted">
          Evaluated every quarter hour
          {windowMinutes !== condition.windowMinutes && `, with windows of ${windowMinutes} minutes`}.
        </span>
      </output>
      {firings.length > 0 && (
        <ul className="mt-1 text-xs text-muted">
          {firings.slice(-firingsShown).map(({ group, from, to }) => (
            <li key={`${group} ${from}`}>
              <DateTime value={from} precision="minute" /> to <DateTime value={to} precision="minute" empty="now" />
              {condition.group !== null && ` · ${nameOf(condition, group)}`}
            </li>
          ))}
          {firings.length > firingsShown && <li>and {firings.length - firingsShown} before</li>}
        </ul>
      )}
    </>
  )
}

function Chart({ condition: { measure, threshold }, preview: { series } }: PreviewProps) {
  const zone = useTimeZone()
  const format = (value: number) => formatMeasure(measure, value)
  return (
    <div aria-hidden="true" className="mt-2">
      <LineChart
        xs={series.map(({ at }) => Date.parse(at))}
        series={[
          { key: 'value', label: 'Value', colour: 'accent', values: series.map(({ value }) => value) },
          { key: 'limit', label: 'Limit', colour: 'danger', dashed: true, values: series.map(() => threshold) },
        ]}
        formatX={(at) => formatTime('shortDay', at, zone)}
        formatExactX={(at) => formatTime('hour', at, zone)}
        formatY={measure === 'p95' ? axisMs : format}
        formatExactY={format}
        height={180}
      />
    </div>
  )
}
