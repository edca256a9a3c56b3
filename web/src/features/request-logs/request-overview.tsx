import type { ReactNode } from 'react'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { formatCount, formatNanoUsd } from '#web/lib/format.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

const outcomes = {
  completed: 'Completed',
  client_aborted: 'Client left before the end',
  upstream_failed: 'Provider failed',
  interrupted: 'Interrupted: the proxy stopped',
}

const missing = 'N/A'
const milliseconds = (value: number | null) => (value === null ? missing : `${formatCount(value)} ms`)
const tokens = (value: number | null) => (value === null ? missing : formatCount(value))

function cost({ costNanoUsd, costSource }: RequestLogSummary) {
  if (costNanoUsd === null) return missing
  return `${formatNanoUsd(costNanoUsd)}${costSource === 'estimated' ? ' (estimated)' : ''}`
}

export const RequestOverview = ({ log }: { log: RequestLogSummary }) => (
  <dl className="grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-4">
    <Fact label="Method" value={<span className="font-mono">{log.method}</span>} />
    <Fact label="Status" value={<StatusBadge status={log.responseStatus} />} />
    <Fact label="Response Time" value={milliseconds(log.responseTime)} />
    <Fact label="Time to First Byte" value={milliseconds(log.timeToFirstByte)} />
    <Fact label="Timestamp" value={<DateTime value={log.createdAt} />} wide />
    <Fact label="Endpoint" value={<span className="font-mono text-xs break-all">{log.endpoint}</span>} wide />
    <Fact label="Model" value={<span className="font-mono text-xs break-all">{log.model ?? missing}</span>} wide />
    <Fact label="Outcome" value={outcomes[log.outcome]} wide />
    <Fact label="Prompt Tokens" value={tokens(log.promptTokens)} />
    <Fact label="Completion Tokens" value={tokens(log.completionTokens)} />
    <Fact label="Cost" value={cost(log)} />
    <Fact label="Attempts" value={formatCount(log.attempts)} />
    <Fact
      label="API Key"
      value={<span className="font-mono text-xs break-all">{log.apiKeyId ? `***${log.apiKeyId}` : missing}</span>}
      full
    />
    <Fact label="Error Message" value={<span className="break-words">{log.errorMessage ?? missing}</span>} full />
  </dl>
)

type FactProps = { label: string; value: ReactNode; wide?: boolean; full?: boolean }

function Fact({ label, value, wide = false, full = false }: FactProps) {
  let span = ''
  if (wide) span = 'col-span-2'
  if (full) span = 'col-span-full'
  return (
    <div className={span}>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="mt-0.5 tabular-nums">{value}</dd>
    </div>
  )
}
