import type { ReactNode } from 'react'
import { Controller } from 'react-hook-form'
import { Field } from '#web/ui/field.tsx'
import { NumberInput } from '#web/ui/number-input.tsx'
import type { ConfigSectionProps } from './config-values.ts'

type NumberSettingProps = ConfigSectionProps & {
  name: 'timeout' | 'retryAttempts' | 'cacheSeconds' | 'maxRequestsPerMinute'
  label: string
  hint: ReactNode
  min: number
  max: number
  step?: number
  fallback: number
}

export const NumberSetting = ({ form, name, label, hint, ...input }: NumberSettingProps) => (
  <Controller
    control={form.control}
    name={name}
    render={({ field, fieldState }) => (
      <Field label={label} hint={hint} error={fieldState.error?.message}>
        {(aria) => (
          <NumberInput
            {...aria}
            {...input}
            ref={field.ref}
            name={name}
            value={field.value}
            onValueChange={field.onChange}
            className="font-mono tabular-nums sm:max-w-48"
          />
        )}
      </Field>
    )}
  />
)
