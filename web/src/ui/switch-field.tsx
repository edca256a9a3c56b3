import { useId } from 'react'
import { Controller, type FieldPathByValue, type FieldValues, type UseFormReturn } from 'react-hook-form'
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
      <div className="min-w-0 wrap-anywhere">
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

type FormSwitchProps<Values extends FieldValues, Output> = Pick<SwitchFieldProps, 'label' | 'hint'> & {
  form: UseFormReturn<Values, unknown, Output>
  name: FieldPathByValue<Values, boolean | undefined>
}

export const FormSwitch = <Values extends FieldValues, Output>(props: FormSwitchProps<Values, Output>) => {
  const { form, name, label, hint } = props
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <SwitchField label={label} hint={hint} checked={Boolean(field.value)} onCheckedChange={field.onChange} />
      )}
    />
  )
}
