import { classNames } from '#web/lib/text/class-names.ts'
import { Badge } from './badge.tsx'

/** Source: product.md 9.9. A status of 0: no response reached the client. */
export function statusTone(status: number): 'danger' | 'warn' | 'info' | 'ok' {
  if (status >= 500 || status < 200) return 'danger'
  if (status >= 400) return 'warn'
  return status >= 300 ? 'info' : 'ok'
}

type StatusBadgeProps = { status: number; isComplete?: boolean; className?: string }

/** `isComplete`: a success that broke off is not green. */
export function StatusBadge({ status, isComplete = true, className }: StatusBadgeProps) {
  const tone = statusTone(status)
  return (
    <Badge
      tone={tone === 'ok' && !isComplete ? 'neutral' : tone}
      className={classNames('font-mono tabular-nums', className)}
    >
      {status === 0 ? 'No response' : status}
    </Badge>
  )
}
