import { type Control, useWatch } from 'react-hook-form'
import { formatCount } from '#web/lib/text/format.ts'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ValueRow } from '#web/ui/value-row.tsx'
import type { ConfigValues } from './config-values.ts'

/** In ms. Source: product.md 10.9. */
const longTimeout = 60_000

/** The current values of the form, and warnings about them. */
export function ConfigSummary({ control }: { control: Control<ConfigValues> }) {
  const config = useWatch({ control, compute: (values) => values })
  return (
    <Card title="Configuration Summary">
      <dl className="divide-y divide-line px-4">
        <ValueRow label="Base URL">
          <span className="font-mono text-xs break-all">{config.baseUrl.trim() || 'Not set'}</span>
        </ValueRow>
        <ValueRow label="Timeout">{formatCount(config.timeout / 1_000)} s</ValueRow>
        <ValueRow label="Retry Attempts">{formatCount(config.retryAttempts)}</ValueRow>
        <ValueRow label="Rate Limit">
          {config.rateLimitEnabled ? `${formatCount(config.maxRequestsPerMinute)} per minute` : 'Off'}
        </ValueRow>
        <ValueRow label="Cache">{config.cacheSeconds > 0 ? `${formatCount(config.cacheSeconds)} s` : 'Off'}</ValueRow>
        <ValueRow label="Bodies">{config.logBodies ? 'Logged' : 'Not logged'}</ValueRow>
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
