import { formatCount, formatMs } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Badge } from '#web/ui/badge.tsx'
import type { RequestLog } from '#schemas/request-logs.ts'

/** The responses of a WebSocket session, with the time at which each of them ended. */
export const ResponseList = ({ log }: { log: RequestLog }) => (
  <section>
    <h3 className="mb-2 font-medium">Responses</h3>
    <ol className="overflow-hidden rounded-control border border-line">
      {log.responses.map(({ endedAfterMs, model, status, promptTokens, completionTokens }, index) => (
        <li
          key={`${index}-${endedAfterMs}`}
          className="grid grid-cols-[2rem_minmax(0,1fr)_auto] items-center gap-3 border-b border-line px-3 py-2 text-xs last:border-b-0 @lg:grid-cols-[2rem_8rem_minmax(0,1fr)_auto_6rem]"
        >
          <span className="text-muted tabular-nums">{index + 1}</span>
          <span className="flex min-w-0">
            <Badge tone={status === 'failed' ? 'danger' : 'neutral'} className="min-w-0 shrink! font-mono">
              <span className="truncate">{visibleLine(status ?? 'ended')}</span>
            </Badge>
          </span>
          <span className="hidden truncate @lg:block">{visibleLine(model ?? 'No model')}</span>
          <span className="tabular-nums">{tokensOf(promptTokens, completionTokens)}</span>
          <span className="hidden text-right font-mono tabular-nums @lg:block">{formatMs(endedAfterMs)}</span>
        </li>
      ))}
    </ol>
  </section>
)

const tokensOf = (prompt: number | null, completion: number | null) =>
  prompt === null && completion === null
    ? 'tokens unknown'
    : `${formatCount(prompt ?? 0)} in, ${formatCount(completion ?? 0)} out`
