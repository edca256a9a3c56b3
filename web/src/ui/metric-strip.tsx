import type { ReactNode } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'

export type Metric = { label: string; value: ReactNode; note?: ReactNode }

/** Four or eight metrics, or five of short values. */
export const MetricStrip = ({ label, metrics }: { label: string; metrics: readonly Metric[] }) => (
  <section aria-label={label}>
    <ul
      className={classNames(
        'grid grid-cols-2 gap-px overflow-hidden rounded-panel border border-line bg-line',
        metrics.length % 4 === 0 ? 'lg:grid-cols-4' : 'lg:grid-cols-5',
      )}
    >
      {metrics.map((metric) => (
        <li key={metric.label} className="bg-surface px-4 py-4 last:odd:col-span-2 md:px-5 lg:last:odd:col-span-1">
          <h2 className="text-xs font-medium text-muted">{metric.label}</h2>
          <p className="mt-2 flex h-7 items-center text-xl font-semibold tracking-tight tabular-nums">{metric.value}</p>
          <p className="mt-0.5 min-h-4 text-xs text-muted">{metric.note}</p>
        </li>
      ))}
    </ul>
  </section>
)

/** A number with its unit in small letters. */
export const WithUnit = ({ value, unit }: { value: string; unit: string }) => (
  <span>
    {value}
    <span className="text-sm font-normal text-muted">{unit}</span>
  </span>
)
