import type { ReactNode } from 'react'
import { Card } from '#web/ui/card.tsx'

type ValueListProps = {
  title: string
  values: readonly { label: string; value: ReactNode; note?: string }[]
}

export const ValueList = ({ title, values }: ValueListProps) => (
  <Card title={title}>
    <dl className="divide-y divide-line px-4">
      {values.map(({ label, value, note }) => (
        <div key={label} className="flex min-h-12 items-center justify-between gap-4 py-2">
          <dt>
            {label}
            {note && <span className="block text-xs text-muted">{note}</span>}
          </dt>
          <dd className="text-right font-mono tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  </Card>
)
