import type { ReactNode } from 'react'
import type { Pipeline } from '#schemas/pipeline.ts'
import {
  formatBytes,
  formatCount,
  formatCounted,
  formatDuration,
  formatKnown,
  formatPercent,
} from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

export const ProcessCards = ({ pipeline: { proxies, writtenOffProxies, workers } }: { pipeline: Pipeline }) => (
  <div className="grid items-start gap-6 lg:grid-cols-2">
    <Card title="Proxies" description="Accept requests and keep their events until the queue has them">
      <List empty="No proxy has reported yet.">
        {proxies.map((proxy) => (
          <Process key={proxy.id} {...proxy}>
            <Facts
              layout="grid"
              facts={[
                { label: 'Accepted', value: formatCount(proxy.accepted) },
                { label: 'Spooled', value: `${formatCount(proxy.spooledEvents)}, ${formatBytes(proxy.spooledBytes)}` },
                { label: 'Shipped until', value: <DateTime value={proxy.shippedUntil} precision="recent" /> },
                { label: 'Spool', value: <SpoolUsage share={proxy.fullness} /> },
              ]}
            />
          </Process>
        ))}
      </List>
      {writtenOffProxies.map(({ id, host, pid, events, writtenOffAt }) => (
        <p key={id} className="border-t border-line p-4 text-xs text-muted">
          {visibleLine(host)} · {pid} was written off at <DateTime value={writtenOffAt} precision="recent" /> with{' '}
          {formatCounted(events, 'event')}.
        </p>
      ))}
    </Card>
    <Card title="Workers" description="Bring events from the queue into the store">
      <List empty="No worker has reported yet.">
        {workers.map((worker) => (
          <Process key={worker.id} {...worker}>
            <Facts
              layout="grid"
              facts={[
                { label: 'Stored', value: formatCount(worker.storedEvents) },
                { label: 'Inserts', value: formatCount(worker.inserts) },
                { label: 'Insert time, p50', value: formatKnown(worker.insertP50Ms, formatDuration) },
                { label: 'Insert time, p95', value: formatKnown(worker.insertP95Ms, formatDuration) },
              ]}
            />
            {worker.lastError !== null && (
              <p className="mt-2 font-mono text-xs break-words text-danger">{visibleLine(worker.lastError)}</p>
            )}
          </Process>
        ))}
      </List>
    </Card>
  </div>
)

const List = ({ empty, children }: { empty: string; children: ReactNode[] }) =>
  children.length === 0 ? (
    <p className="px-4 py-8 text-center text-muted">{empty}</p>
  ) : (
    <ul className="divide-y divide-line">{children}</ul>
  )

type ProcessProps = { host: string; pid: number; at: string; isSilent: boolean; children: ReactNode }

const Process = ({ host, pid, at, isSilent, children }: ProcessProps) => (
  <li className="p-4">
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <h3 className="truncate font-mono text-xs font-semibold">
        {visibleLine(host)} · {pid}
      </h3>
      <Badge tone={isSilent ? 'danger' : 'ok'} dot className="ml-auto">
        {isSilent ? 'Silent' : 'Reports'}
      </Badge>
      {isSilent && (
        <span className="text-xs text-muted">
          since <DateTime value={at} precision="recent" />
        </span>
      )}
    </div>
    {children}
  </li>
)

/** Alerts start at 80 %; new requests are rejected at 95 %. */
function SpoolUsage({ share }: { share: number }) {
  const percent = Math.min(100, share * 100)
  return (
    <span className="flex items-center gap-2">
      <ProgressBar
        label="Part of the spool that is full"
        percent={percent}
        tone={percent >= 80 ? 'danger' : 'accent'}
        className="h-1.5 w-20"
      />
      {formatPercent(percent)}
    </span>
  )
}
