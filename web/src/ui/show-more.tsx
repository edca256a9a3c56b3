import { formatCount } from '#web/lib/text/format.ts'
import { Button } from './button.tsx'

type ShowMoreProps = { shown: number; total: number; onPress: () => void }

/** The end of a list that is shown in parts. Stays when all are shown, because the focus would go with the button. */
export const ShowMore = ({ shown, total, onPress }: ShowMoreProps) => (
  <div className="flex items-center justify-between gap-4 border-t border-line px-4 py-3">
    <span className="text-muted tabular-nums">
      {formatCount(shown)} of {formatCount(total)}
    </span>
    <Button size="sm" unavailable={shown === total} onClick={onPress}>
      Show more
    </Button>
  </div>
)
