import { ZoomOut } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { DateRange } from '#web/ui/date-range.tsx'

type Range = { from: string; to: string }
type CustomRangeProps = { range: Range; onChange: (range: Range) => void; onClear: () => void }

export const CustomRange = ({ range, onChange, onClear }: CustomRangeProps) => (
  <div className="flex flex-wrap items-start gap-3">
    <DateRange
      range={range}
      isOpen={false}
      onChange={({ from, to }) => from && to && onChange({ from, to })}
      className="grid w-full gap-3 sm:w-116 sm:grid-cols-2"
    />
    <Button onClick={onClear} className="sm:mt-6.5">
      <ZoomOut />
      Zoom out
    </Button>
  </div>
)
