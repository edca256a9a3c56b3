import { Controller } from 'react-hook-form'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import type { ConfigSectionProps } from './config-values.ts'

const options = [
  { value: 'primary-first', label: 'Primary first' },
  { value: 'spread', label: 'Spread over all active keys' },
] as const

export const DistributionSetting = ({ control, onEdit }: ConfigSectionProps) => (
  <Controller
    control={control}
    name="distribution"
    render={({ field, fieldState }) => (
      <Field
        label="Distribution"
        hint="Spread: each request goes to the key with most left of its limits at the provider."
        error={fieldState.error?.message}
      >
        {(aria) => (
          <Select
            {...aria}
            value={field.value}
            options={options}
            onValueChange={(value) => {
              field.onChange(value)
              onEdit()
            }}
            className="sm:max-w-72"
          />
        )}
      </Field>
    )}
  />
)
