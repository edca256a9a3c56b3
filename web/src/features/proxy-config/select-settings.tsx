import { Controller } from 'react-hook-form'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import type { ConfigSectionProps } from './config-values.ts'

const credential = {
  name: 'credentialHeader',
  label: 'Credential',
  hint: 'The header in which the provider gets its API key.',
  options: [
    { value: 'authorization', label: 'Authorization: Bearer' },
    { value: 'api-key', label: 'api-key (Azure OpenAI)' },
    { value: 'x-api-key', label: 'x-api-key (Anthropic)' },
  ],
} as const

const distribution = {
  name: 'distribution',
  label: 'Distribution',
  hint: 'Spread: each request goes to the key with most left of its limits at the provider.',
  options: [
    { value: 'primary-first', label: 'Primary first' },
    { value: 'spread', label: 'Spread over all active keys' },
  ],
} as const

type SelectSettingProps = ConfigSectionProps & { setting: typeof credential | typeof distribution }

const SelectSetting = ({ control, onEdit, setting: { name, label, hint, options } }: SelectSettingProps) => (
  <Controller
    control={control}
    name={name}
    render={({ field: { value, onChange }, fieldState }) => (
      <Field label={label} hint={hint} error={fieldState.error?.message}>
        {(aria) => (
          <Select
            {...aria}
            className="sm:max-w-72"
            value={value}
            options={options}
            onValueChange={(next) => {
              onChange(next)
              onEdit()
            }}
          />
        )}
      </Field>
    )}
  />
)

export const CredentialSetting = (section: ConfigSectionProps) => <SelectSetting {...section} setting={credential} />

export const DistributionSetting = (section: ConfigSectionProps) => (
  <SelectSetting {...section} setting={distribution} />
)
