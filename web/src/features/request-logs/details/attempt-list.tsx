import { credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { formatMs } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Badge } from '#web/ui/badge.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { RequestLog } from '#schemas/request-logs.ts'

/** The upstream attempts, on the time scale of the whole request. */
export function AttemptList({ log }: { log: RequestLog }) {
  const { keys } = useCredentialNames()
  const total = Math.max(log.responseTime, 1)
  return (
    <section>
      <h3 className="mb-2 font-medium">Attempts</h3>
      <ol className="overflow-hidden rounded-control border border-line">
        {log.attemptLog.map(({ apiKeyId, startedAfterMs, durationMs, result }, index) => (
          <li
            key={`${startedAfterMs}-${apiKeyId}`}
            className="grid grid-cols-[1rem_minmax(0,2fr)_minmax(0,1fr)_auto] items-center gap-3 border-b border-line px-3 py-2 text-xs last:border-b-0 @lg:grid-cols-[1rem_12rem_9rem_minmax(0,1fr)_5rem]"
          >
            <span className="text-muted tabular-nums">{index + 1}</span>
            <span title={visibleLine(result)} className="flex min-w-0">
              {/^\d{3}$/.test(result) ? (
                <StatusBadge status={Number(result)} />
              ) : (
                <Badge tone="danger" className="min-w-0 shrink! font-mono">
                  <span className="truncate">{visibleLine(result)}</span>
                </Badge>
              )}
            </span>
            <span className="truncate">{visibleLine(credentialName(keys, apiKeyId))}</span>
            <span
              aria-hidden="true"
              className="relative hidden h-1.5 rounded-full bg-line forced-color-adjust-none @lg:block"
            >
              <span
                className="absolute inset-y-0 min-w-0.5 rounded-full bg-accent-fill"
                style={{
                  left: `${Math.min(99, (startedAfterMs / total) * 100)}%`,
                  width: `${Math.min(100, (durationMs / total) * 100)}%`,
                }}
              />
            </span>
            <span className="text-right font-mono tabular-nums">{formatMs(durationMs)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
