import { Controller } from 'react-hook-form'
import { Field } from '#web/ui/field.tsx'
import { Select, type SelectProps } from '#web/ui/select.tsx'
import type { ConfigSectionProps } from './config-values.ts'

const headers = [
  { value: 'authorization', label: 'Authorization: Bearer' },
  { value: 'api-key', label: 'api-key (Azure OpenAI)' },
  { value: 'x-api-key', label: 'x-api-key (Anthropic)' },
] as const

export const CredentialSetting = ({ control, onEdit }: ConfigSectionProps) => (
  <Controller
    control={control}
    name="credentialHeader"
    render={({ field: { value, onChange }, fieldState }) => (
      <SelectField
        label="Credential"
        hint="The header in which the provider gets its API key."
        error={fieldState.error?.message}
        value={value}
        options={headers}
        onValueChange={(next) => {
          onChange(next)
          onEdit()
        }}
      />
    )}
  />
)

const distributions = [
  { value: 'primary-first', label: 'Primary first' },
  { value: 'spread', label: 'Spread over all active keys' },
] as const

export const DistributionSetting = ({ control, onEdit }: ConfigSectionProps) => (
  <Controller
    control={control}
    name="distribution"
    render={({ field: { value, onChange }, fieldState }) => (
      <SelectField
        label="Distribution"
        hint="Spread: each request goes to the key with most left of its limits at the provider."
        error={fieldState.error?.message}
        value={value}
        options={distributions}
        onValueChange={(next) => {
          onChange(next)
          onEdit()
        }}
      />
    )}
  />
)

type SelectFieldProps<Value extends string> = Pick<SelectProps<Value>, 'value' | 'options' | 'onValueChange'> & {
  label: string
  hint: string
  error: string | undefined
}

const SelectField = <Value extends string>({ label, hint, error, ...select }: SelectFieldProps<Value>) => (
  <Field label={label} hint={hint} error={error}>
    {(aria) => <Select {...aria} {...select} className="sm:max-w-72" />}
  </Field>
)
