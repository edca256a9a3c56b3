import type { ReactNode } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { formatCount } from '#web/lib/text/format.ts'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { ConfigValues } from './config-values.ts'

/** In ms. Source: product.md 10.9. */
const longTimeout = 60_000

/** The current values of the form, and warnings about them. */
export function ConfigSummary({ control }: { control: Control<ConfigValues> }) {
  const config = useWatch({ control, compute: (values) => values })
  return (
    <Card title="Configuration Summary">
      <dl className="divide-y divide-line px-4">
        <Row label="Base URL">
          <span className="font-mono text-xs break-all">{config.baseUrl.trim() || 'Not set'}</span>
        </Row>
        <Row label="Timeout">{formatCount(config.timeout / 1_000)} s</Row>
        <Row label="Retry Attempts">{formatCount(config.retryAttempts)}</Row>
        <Row label="Rate Limit">
          {config.rateLimitEnabled ? `${formatCount(config.maxRequestsPerMinute)} per minute` : 'Off'}
        </Row>
        <Row label="Cache">{config.cacheSeconds > 0 ? `${formatCount(config.cacheSeconds)} s` : 'Off'}</Row>
        <Row label="Bodies">{config.logBodies ? 'Logged' : 'Not logged'}</Row>
      </dl>
      <div aria-live="polite" className="flex flex-col gap-2 px-4 pb-4 empty:hidden">
        {config.timeout > longTimeout && (
          <Notice tone="warn" title="Warning">
            A timeout above 60 seconds can leave clients waiting on a provider that no longer responds.
          </Notice>
        )}
        {!config.rateLimitEnabled && (
          <Notice title="Recommendation">
            Enable rate limiting, so that one runaway client can’t use up your provider account.
          </Notice>
        )}
      </div>
    </Card>
  )
}

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex min-h-11 items-center justify-between gap-4 py-2">
    <dt className="shrink-0 text-muted">{label}</dt>
    <dd className="min-w-0 text-right tabular-nums">{children}</dd>
  </div>
)
