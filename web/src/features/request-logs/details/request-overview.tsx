import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatNanoUsd } from '#schemas/cost-text.ts'
import type { RequestLog, RequestLogSummary } from '#schemas/request-logs.ts'
import { previousSecretTag } from '#schemas/tags.ts'
import { credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { formatCount, formatMs } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { queryCutText } from './cut-text.ts'
import { RequestStatus } from './request-status.tsx'
import { outcomeLabels } from '#web/lib/log-filters/outcome-labels.ts'

const missing = 'N/A'
const tokens = (value: number | null) => (value === null ? missing : formatCount(value))

function cost({ costNanoUsd, costSource }: RequestLogSummary) {
  if (costNanoUsd === null) return missing
  return `${formatNanoUsd(costNanoUsd)}${costSource === 'estimated' ? ' (estimated)' : ''}`
}

const mono = (text: string | null) => (
  <span translate="no" className="font-mono text-xs wrap-anywhere">
    {text === null ? missing : visibleLine(text)}
  </span>
)

const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-2 gap-x-4 gap-y-4 @2xl:grid-cols-4">{children}</dl>
)

/** What the list knows of a request. */
export function RequestOverview({ log }: { log: RequestLogSummary }) {
  const { tokens: secureTokens } = useCredentialNames([log.tokenId])
  return (
    <Facts>
      <Fact label="Method" value={<span className="font-mono">{visibleLine(log.method)}</span>} />
      <Fact label="Status" value={<RequestStatus log={log} />} />
      <Fact label="Response Time" value={formatMs(log.responseTime)} />
      <Fact
        label="Timestamp"
        value={
          <span className="[&>time]:whitespace-normal">
            <DateTime value={log.createdAt} precision="millisecond" />
          </span>
        }
      />
      <Fact label="Endpoint" value={mono(log.endpoint)} wide />
      <Fact label="Model" value={mono(log.model)} />
      <Fact label="Outcome" value={outcomeLabels[log.outcome]} />
      <Fact
        label="Error Message"
        value={
          <span className="break-words">{log.errorMessage === null ? missing : visibleLine(log.errorMessage)}</span>
        }
        full
      />
      {log.errorCode !== null && <Fact label="Error Code" value={mono(log.errorCode)} wide />}
      {log.errorType !== null && <Fact label="Error Type" value={mono(log.errorType)} wide />}
      {log.requestCount > 1 && (
        <Fact label="Requests" value={`${formatCount(log.requestCount)} in this minute, counted in one row`} full />
      )}
      <Fact label="Prompt Tokens" value={tokens(log.promptTokens)} />
      <Fact label="Completion Tokens" value={tokens(log.completionTokens)} />
      <Fact label="Cached Tokens" value={tokens(log.cachedTokens)} />
      <Fact label="Cost" value={cost(log)} />
      <Fact label="API Key" value={mono(log.apiKeyId && `***${log.apiKeyId}`)} wide />
      <Fact
        label="Secure Token"
        value={
          log.tokenId
            ? `${visibleLine(credentialName(secureTokens, log.tokenId))}${previousSecretTag in log.tags ? ' (previous secret)' : ''}`
            : 'None: sent from this site'
        }
        wide
      />
      {Object.keys(log.tags).length > 0 && <Fact label="Tags" value={<TagLinks tags={log.tags} />} full />}
    </Facts>
  )
}

/** What only the stored log has. */
export const RequestOrigin = ({ log }: { log: RequestLog }) => (
  <Facts>
    {log.query !== null && <Fact label="Query" value={<Query log={log} query={log.query} />} full />}
    <Fact label="Client Address" value={mono(log.clientAddress)} />
    <Fact label="Cache" value={log.cacheStatus ?? 'Not asked'} />
    <Fact label="Provider Request" value={mono(log.providerRequestId)} wide />
    <Fact label="User Agent" value={mono(log.userAgent)} full />
  </Facts>
)

function Query({ log, query }: { log: RequestLog; query: string }) {
  const cut = queryCutText(log)
  return (
    <>
      {mono(query)}
      {cut !== null && <Notice tone="warn">Cut at {cut}. The rest was passed on, but not kept.</Notice>}
    </>
  )
}

/** Each tag links to the requests that have it. */
const TagLinks = ({ tags }: Pick<RequestLogSummary, 'tags'>) => (
  <ul className="flex flex-wrap gap-x-3 gap-y-1">
    {Object.entries(tags).map(([key, value]) => (
      <li key={key}>
        <Link
          to="/request-logs"
          search={{ tag: [`${key}:${value}`] }}
          className="font-mono text-xs wrap-anywhere hover:underline"
        >
          {visibleLine(`${key}: ${value}`)}
        </Link>
      </li>
    ))}
  </ul>
)

type FactProps = { label: string; value: ReactNode; wide?: boolean; full?: boolean }

const Fact = ({ label, value, wide, full }: FactProps) => (
  <div className={classNames(wide && 'col-span-2', full && 'col-span-full')}>
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="mt-0.5 tabular-nums">{value}</dd>
  </div>
)
