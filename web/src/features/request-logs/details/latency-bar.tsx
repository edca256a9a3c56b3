import { formatCount } from '#web/lib/text/format.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import type { RequestLog } from '#schemas/request-logs.ts'

type Timing = Pick<RequestLog, 'responseTime' | 'timeToFirstByte' | 'overheadUs'>

/** Splits the time of a request, ms: gateway overhead, waiting for the provider, receiving its response. */
export function latencyParts({ responseTime, timeToFirstByte, overheadUs }: Timing) {
  const gateway = Math.min((overheadUs ?? 0) / 1_000, responseTime)
  const firstByte = timeToFirstByte === null ? responseTime : Math.min(timeToFirstByte, responseTime)
  return [
    { name: 'Gateway', colour: 'bg-fg', ms: gateway },
    { name: 'First byte', colour: 'bg-accent-fill', ms: Math.max(0, firstByte - gateway) },
    { name: 'Stream', colour: 'bg-accent-fill/40', ms: Math.max(0, responseTime - Math.max(firstByte, gateway)) },
  ]
}

const milliseconds = (ms: number) => (ms > 0 && ms < 10 ? ms.toFixed(1) : formatCount(Math.round(ms)))

export function LatencyBar({ log }: { log: RequestLog }) {
  const parts = latencyParts(log)
  return (
    <section>
      <h3 className="mb-2 font-medium">Latency</h3>
      <div
        aria-hidden="true"
        className="flex h-2.5 gap-px overflow-hidden rounded-full bg-line forced-color-adjust-none"
      >
        {parts.map(({ name, colour, ms }) => (
          <span key={name} className={colour} style={{ flexGrow: ms, minWidth: ms > 0 ? 2 : 0 }} />
        ))}
      </div>
      <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-xs">
        {parts.map(({ name, colour, ms }) => (
          <div key={name} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={classNames('size-2 rounded-full forced-color-adjust-none', colour)} />
            <dt className="text-muted">{name}</dt>
            <dd className="font-mono tabular-nums">{milliseconds(ms)} ms</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
