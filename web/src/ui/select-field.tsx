import { Controller, type FieldPathByValue, type FieldValues, type UseFormReturn } from 'react-hook-form'
import { Field } from './field.tsx'
import { Select } from './select.tsx'

type SelectFieldProps<Values extends FieldValues, Output, Value extends string> = {
  form: UseFormReturn<Values, unknown, Output>
  name: FieldPathByValue<Values, Value>
  label: string
  hint?: string
  options: readonly { value: Value; label: string }[]
  /** Called before the form has the new value. */
  onPick?: (value: Value) => void
  className?: string
}

/** A labelled select of a form, with its error. */
export const SelectField = <Values extends FieldValues, Output, Value extends string>({
  form,
  name,
  label,
  hint,
  onPick,
  ...select
}: SelectFieldProps<Values, Output, Value>) => (
  <Controller
    control={form.control}
    name={name}
    render={({ field, fieldState }) => (
      <Field label={label} hint={hint} error={fieldState.error?.message}>
        {(control) => (
          <Select
            {...control}
            {...select}
            value={field.value as Value}
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
