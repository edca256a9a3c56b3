import type { ReactNode } from 'react'
import { formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { usePrintedAt } from './use-printed-at.ts'

/** On paper only: what the page shows, and when it was printed. */
export function PrintHead({ children }: { children: ReactNode }) {
  const zone = useTimeZone()
  const printedAt = usePrintedAt()
  return (
    <p className="hidden print:block">
      {children}
      {printedAt !== undefined && ` · Printed ${formatTime('minute', printedAt, zone)} ${zone}`}
    </p>
  )
}
