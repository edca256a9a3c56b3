import { Controller, type FieldPathByValue } from 'react-hook-form'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import type { AlertTexts, AlertUseForm } from './alert-texts.ts'

type FormSelectProps<Value extends string> = {
  form: AlertUseForm
  name: FieldPathByValue<AlertTexts, Value>
  label: string
  options: readonly { value: Value; label: string }[]
  /** Called before the form has the new value. */
  onPick?: (value: Value) => void
}

/** A choice within the dialog's form. */
export const FormSelect = <Value extends string>({ form, name, label, options, onPick }: FormSelectProps<Value>) => (
  <Controller
    control={form.control}
    name={name}
    render={({ field, fieldState }) => (
      <Field label={label} error={fieldState.error?.message}>
        {(control) => (
          <Select
            {...control}
            className="w-full [&_select]:w-full"
            value={field.value as Value}
            options={options}
            onValueChange={(value) => {
              onPick?.(value)
              field.onChange(value)
            }}
          />
        )}
      </Field>
    )}
  />
)
