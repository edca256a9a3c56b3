import type { ReactNode } from 'react'

/** A row of a description list that fills a card: the label on the left, its value on the right. */
export const ValueRow = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex min-h-11 items-center justify-between gap-4 py-2">
    <dt className="shrink-0 text-muted">{label}</dt>
    <dd className="min-w-0 text-right tabular-nums">{children}</dd>
  </div>
)
