import type { ReactNode } from 'react'

type ReadingProps = { label: string; value: ReactNode; note: string }

export const Reading = ({ label, value, note }: ReadingProps) => (
  <li className="bg-surface px-4 py-4 last:col-span-2 lg:last:col-span-1">
    <h2 className="text-xs font-medium text-muted">{label}</h2>
    <p className="mt-2 text-base font-semibold tabular-nums">{value}</p>
    <p className="text-xs text-muted">{note}</p>
  </li>
)
