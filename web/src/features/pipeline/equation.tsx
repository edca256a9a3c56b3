import { CircleCheck, Hourglass, TriangleAlert } from 'lucide-react'
import type { Pipeline } from '#schemas/pipeline.ts'
import { formatCount, formatKnown } from '#web/lib/text/format.ts'
import { Card } from '#web/ui/card.tsx'

/** accepted = stored + queued + spooled + dead, up to the events in transit. */
export function Equation({ pipeline }: { pipeline: Pipeline }) {
  const { accepted, stored, queued, spooled, dead, droppedDead, writtenOff, reconciled, difference } = pipeline
  return (
    <Card title="Nothing lost, nothing twice" description="Every accepted request is in exactly one place">
      <ul aria-label="Equation" className="flex flex-wrap items-end gap-x-6 gap-y-4 p-4">
        <Term label="accepted" value={accepted} />
        <Term sign="=" label="stored" value={stored} />
        <Term sign="+" label="queued" value={queued} />
        <Term sign="+" label="spooled" value={spooled} />
        <Term sign="+" label="dead" value={dead} />
      </ul>
      <p className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3">
        <Balance difference={difference} />
        {droppedDead > 0 && (
          <span className="text-muted">An operator dropped {formatCount(droppedDead)} of the dead.</span>
        )}
        {writtenOff > 0 && (
          <span className="text-muted">Lost with a disk and written off: {formatCount(writtenOff)}.</span>
        )}
        {reconciled !== 0 && (
          <span className="text-muted">A difference of {formatCount(reconciled)} was reconciled by an operator.</span>
        )}
      </p>
    </Card>
  )
}

const Term = ({ sign, label, value }: { sign?: string; label: string; value: number | null }) => (
  <li className="flex items-end gap-4">
    {sign && (
      <span aria-hidden="true" className="pb-4 text-base text-muted">
        {sign}
      </span>
    )}
    <div className="flex flex-col-reverse">
      <span className="text-xs text-muted">{label}</span>
      <span className="font-mono text-xl font-semibold tracking-tight tabular-nums">
        {formatKnown(value, formatCount)}
      </span>
    </div>
  </li>
)

function Balance({ difference }: { difference: number | null }) {
  if (difference === null) {
    return (
      <>
        <Hourglass aria-hidden="true" className="size-4 text-muted" />
        ClickHouse does not respond: what it has stored is not known right now.
      </>
    )
  }
  if (difference === 0) {
    return (
      <>
        <CircleCheck aria-hidden="true" className="size-4 text-ok" />
        The equation holds.
      </>
    )
  }
  // An event in transit is briefly counted in neither or both places.
  if (Math.abs(difference) < 5_000) {
    return (
      <>
        <Hourglass aria-hidden="true" className="size-4 text-muted" />
        {formatCount(Math.abs(difference))} on the way between two places.
      </>
    )
  }
  return (
    <>
      <TriangleAlert aria-hidden="true" className="size-4 text-warn" />
      Off by {formatCount(difference)}. If it stays so, look into the logs of the services; once you know why, reconcile
      it with <code>npm run pipeline -- reconcile {difference}</code>.
    </>
  )
}
