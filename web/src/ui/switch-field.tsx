import { useId } from 'react'
import { Switch } from './switch.tsx'

type SwitchFieldProps = {
  label: string
  hint: string
  checked: boolean
  onCheckedChange: (checked: boolean) => void
}

export function SwitchField({ label, hint, checked, onCheckedChange }: SwitchFieldProps) {
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-6">
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      </div>
      <Switch id={id} aria-describedby={`${id}-hint`} checked={checked} onCheckedChange={onCheckedChange} />
    </div>
  )
}
