import type { ReactNode } from 'react'
import { Controller } from 'react-hook-form'
import { Field } from '#web/ui/field.tsx'
import { NumberInput } from '#web/ui/number-input.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import type { ConfigSectionProps, ConfigValues } from './config-values.ts'

type NamesOf<Type> = {
  [Name in keyof ConfigValues]: ConfigValues[Name] extends Type ? Name : never
}[keyof ConfigValues]

type NumberSettingProps = ConfigSectionProps & {
  name: NamesOf<number>
  label: string
  hint: ReactNode
  min: number
  max: number
  step?: number
  fallback: number
}

export const NumberSetting = ({ control, onEdit, name, label, hint, ...input }: NumberSettingProps) => (
  <Controller
    control={control}
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
            onValueChange={(value) => {
              field.onChange(value)
              onEdit()
            }}
            className="font-mono tabular-nums sm:max-w-48"
          />
        )}
      </Field>
    )}
  />
)

type SwitchSettingProps = ConfigSectionProps & { name: NamesOf<boolean>; label: string; hint: string }

export const SwitchSetting = ({ control, onEdit, name, label, hint }: SwitchSettingProps) => (
  <Controller
    control={control}
    name={name}
    render={({ field }) => (
      <SwitchField
        label={label}
        hint={hint}
        checked={field.value}
        onCheckedChange={(value) => {
          field.onChange(value)
          onEdit()
        }}
      />
    )}
  />
)
