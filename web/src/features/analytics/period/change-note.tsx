import { TrendingDown, TrendingUp } from 'lucide-react'
import { formatPercent } from '#web/lib/text/format.ts'

type ChangeNoteProps = { now: number | null; before: number | null }

/** How a reading moved since the span of time before. Neither way is good by itself, so both look the same. */
export function ChangeNote({ now, before }: ChangeNoteProps) {
  if (now === null || before === null || before === 0) return 'Nothing to compare with'
  const change = ((now - before) / before) * 100
  if (Math.abs(change) < 0.05) return 'As in the period before'
  const Icon = change > 0 ? TrendingUp : TrendingDown
  return (
    <span className="inline-flex items-center gap-1">
      <Icon aria-hidden="true" className="size-3.5" />
      {formatPercent(Math.abs(change))} {change > 0 ? 'more' : 'less'} than before
    </span>
  )
}
