import type { ReactNode } from 'react'
import type { ApiKeyState } from '#schemas/api-keys.ts'
import { formatCount } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Badge } from '#web/ui/badge.tsx'
import { DateTime } from '#web/ui/date-time.tsx'

type Limits = NonNullable<ApiKeyState['limits']>

/** Shows what the proxies know about a key; nothing before its first use. */
export function KeyState({ state }: { state: ApiKeyState | undefined }) {
  if (!state) return null
  const { cooldown, limits, lastError, otherOrigin } = state
  return (
    <div className="flex min-w-0 flex-col gap-1 text-xs text-muted empty:hidden">
      {otherOrigin !== null && (
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone="warn">Not used</Badge>
          <span className="min-w-0 wrap-anywhere">entered for {otherOrigin}, not for the base URL in Proxy Config</span>
        </p>
      )}
      {cooldown && (
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone="warn">Cooldown</Badge>
          <span className="min-w-0 break-words">
            until <DateTime value={cooldown.until} /> after status {cooldown.status}
            {cooldown.endpoint !== null && `, for ${visibleLine(cooldown.endpoint)} only`}
          </span>
        </p>
      )}
      {limits && <Line label="Left of the limits">{limitTexts(limits).join(', ')}</Line>}
      {lastError && (
        <Line label="Last error">
          {lastError.status} at <DateTime value={lastError.at} />
          {lastError.message !== null && `: ${visibleLine(lastError.message)}`}
        </Line>
      )}
    </div>
  )
}

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <p className="break-words">
    {label}: {children}
  </p>
)

const limitTexts = ({ requests, tokens }: Limits): string[] => [
  ...(requests ? [`${remaining(requests)} requests`] : []),
  ...(tokens ? [`${remaining(tokens)} tokens`] : []),
]

const remaining = ({ left, limit }: NonNullable<Limits['requests']>) =>
  limit === null ? formatCount(left) : `${formatCount(left)} of ${formatCount(limit)}`
