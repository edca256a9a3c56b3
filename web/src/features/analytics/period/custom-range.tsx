import { useTimeZone } from '#web/lib/time-zone.tsx'
import { fromLocalInput, toLocalInput } from '#web/lib/text/zoned-time.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Button } from '#web/ui/button.tsx'
import { ZoomOut } from 'lucide-react'

type CustomRangeProps = {
  from: string
  to: string
  onChange: (range: { from: string; to: string }) => void
  onLeave: () => void
}

/** Any range, in the zone of the preferences. */
export function CustomRange({ from, to, onChange, onLeave }: CustomRangeProps) {
  const zone = useTimeZone()
  const change = (end: 'from' | 'to', value: string) => {
    const iso = fromLocalInput(value, zone)
    if (iso) onChange({ from, to, [end]: iso })
  }
  return (
    <div className="flex flex-wrap items-end gap-3">
      {(['from', 'to'] as const).map((end) => (
        <div key={end} className="w-full sm:w-56">
          <Field label={end === 'from' ? `From, ${zone}` : `To, ${zone}`} error={undefined}>
            {({ id }) => (
              <Input
                id={id}
                type="datetime-local"
                value={toLocalInput(end === 'from' ? from : to, zone)}
                onChange={(event) => change(end, event.target.value)}
              />
            )}
          </Field>
        </div>
      ))}
      <Button onClick={onLeave}>
        <ZoomOut />
        Zoom out
      </Button>
    </div>
  )
}
