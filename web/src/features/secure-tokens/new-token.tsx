import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { formatMs } from '#web/lib/text/format.ts'
import { firstLogQuery } from '#web/lib/queries/request-logs.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { CodeExamplesTabs } from '#web/lib/code-examples/code-examples-tabs.tsx'
import { OneTimeSecret } from '#web/ui/one-time-secret.tsx'

export const newTokenTitles = {
  title: 'Your new secure token',
  description: 'Copy it now and keep it in a safe place.',
}

/** Shows a new token in full, once, explains how to use it, and waits for its first request. */
export const NewToken = ({ id, token, onDone }: { id: string; token: string; onDone: () => void }) => (
  <OneTimeSecret secret={token} kind="token" onDone={onDone}>
    <section aria-labelledby="first-request" className="flex min-w-0 flex-col gap-3">
      <h3 id="first-request" className="font-medium">
        Send your first request
      </h3>
      <CodeExamplesTabs token={token} />
      <FirstRequest tokenId={id} />
    </section>
  </OneTimeSecret>
)

/** Waits for the first request of a new token, and then shows its log. */
function FirstRequest({ tokenId }: { tokenId: string }) {
  const { data: log } = useQuery(firstLogQuery(tokenId))
  return (
    <output className="flex min-h-11 items-center gap-3 rounded-control border border-line px-3">
      {log ? (
        <>
          <StatusBadge status={log.responseStatus} />
          <span className="min-w-0 flex-1 truncate font-mono text-xs">
            <span className="font-semibold">{visibleLine(log.method)}</span> {visibleLine(log.endpoint)}
          </span>
          <span className="font-mono text-xs tabular-nums">{formatMs(log.responseTime)}</span>
          <Link
            to="/request-logs"
            search={{ token: tokenId, log: log.id }}
            className="inline-flex min-h-11 items-center text-accent hover:underline md:min-h-8"
          >
            Open the log
            <ChevronRight aria-hidden="true" className="size-4" />
          </Link>
        </>
      ) : (
        <>
          <Spinner />
          <span className="text-muted">Waiting for the first request…</span>
        </>
      )}
    </output>
  )
}
