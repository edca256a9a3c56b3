import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'

/** On paper only: what the page shows, and when it was printed. */
export function PrintHead({ children }: { children: ReactNode }) {
  const zone = useTimeZone()
  const [printedAt, setPrintedAt] = useState<number>()
  useEffect(() => {
    const note = () => flushSync(() => setPrintedAt(Date.now()))
    window.addEventListener('beforeprint', note)
    return () => window.removeEventListener('beforeprint', note)
  }, [])
  return (
    <p className="hidden print:block">
      {children}
      {printedAt !== undefined && ` · Printed ${formatTime('minute', printedAt, zone)} ${zone}`}
    </p>
  )
}
