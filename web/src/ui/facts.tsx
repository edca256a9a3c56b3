import type { ReactNode } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'

type Fact = { label: string; value: ReactNode; numeric?: boolean }

type FactsProps = {
  facts: readonly Fact[]
  /** `row` lines up with the rows above and below it; `grid` fills a card in two columns. */
  layout: 'row' | 'grid'
}

export const Facts = ({ facts, layout }: FactsProps) => (
  <dl className={classNames('grid grid-cols-2 gap-x-4 gap-y-2', layout === 'row' && 'md:flex')}>
    {facts.map(({ label, value, numeric = false }) => (
      <div key={label} className={classNames(layout === 'row' && (numeric ? 'md:w-20' : 'md:w-36'))}>
        <dt className="text-xs text-muted">{label}</dt>
        <dd className="tabular-nums [&>time]:whitespace-normal">{value}</dd>
      </div>
    ))}
  </dl>
)
