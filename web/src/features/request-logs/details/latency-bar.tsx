import { formatCount } from '#web/lib/text/format.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { type LatencyPart, latencyParts } from './latency-parts.ts'
import type { RequestLog } from '#schemas/request-logs.ts'

const colours = {
  Gateway: 'bg-fg',
  'First byte': 'bg-accent-fill',
  Stream: 'bg-accent-fill/40',
} satisfies Record<LatencyPart['name'], string>

const milliseconds = (ms: number) => (ms > 0 && ms < 10 ? ms.toFixed(1) : formatCount(Math.round(ms)))

/** One bar for the whole request; the numbers stand beside it, so nothing depends on the colours. */
export function LatencyBar({ log }: { log: RequestLog }) {
  const parts = latencyParts(log)
  return (
    <section>
      <h3 className="mb-2 font-medium">Latency</h3>
      <div aria-hidden="true" className="flex h-2.5 gap-px overflow-hidden rounded-full bg-line">
        {parts.map(({ name, ms }) => (
          <span key={name} className={colours[name]} style={{ flexGrow: ms, minWidth: ms > 0 ? 2 : 0 }} />
        ))}
      </div>
      <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-xs">
        {parts.map(({ name, ms }) => (
          <div key={name} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={classNames('size-2 rounded-full', colours[name])} />
            <dt className="text-muted">{name}</dt>
            <dd className="font-mono tabular-nums">{milliseconds(ms)} ms</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
