import { useTimeZone } from '#web/lib/time-zone.tsx'
import { fromLocalInput, toLocalInput } from '#web/lib/text/zoned-time.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Button } from '#web/ui/button.tsx'
import { ZoomOut } from 'lucide-react'

type Range = { from: string; to: string }
type CustomRangeProps = { range: Range; onChange: (range: Range) => void; onClear: () => void }

/** Times are in the user's time zone. */
export function CustomRange({ range, onChange, onClear }: CustomRangeProps) {
  const zone = useTimeZone()
  return (
    <div className="flex flex-wrap items-end gap-3">
      {(['from', 'to'] as const).map((end) => (
        <div key={end} className="w-full sm:w-56">
          <Field label={end === 'from' ? `From, ${zone}` : `To, ${zone}`} error={undefined}>
            {({ id }) => (
              <Input
                id={id}
                type="datetime-local"
                value={toLocalInput(range[end], zone)}
                onChange={(event) => {
                  const iso = fromLocalInput(event.target.value, zone)
                  if (iso) onChange({ ...range, [end]: iso })
                }}
              />
            )}
          </Field>
        </div>
      ))}
      <Button onClick={onClear}>
        <ZoomOut />
        Zoom out
      </Button>
    </div>
  )
}
