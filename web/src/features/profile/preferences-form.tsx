import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import { ChangePreferences, type Preferences } from '#schemas/preferences.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Form } from '#web/ui/form.tsx'
import { Select } from '#web/ui/select.tsx'
import { SwitchField } from '#web/ui/switch-field.tsx'
import { savePreferencesMutation } from './profile-mutations.ts'
import { timezoneOptions } from './timezones.ts'

const switches = [
  { name: 'emailNotifications', label: 'Email Notifications', hint: 'Mails about account activity' },
  { name: 'securityAlerts', label: 'Security Alerts', hint: 'Mails about security events' },
  { name: 'usageReports', label: 'Usage Reports', hint: 'Weekly usage and analytics reports' },
] as const

const themes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
] as const

/** Source: product.md 10.16. `language` is sent along without a field, as specified. */
export function PreferencesForm({ preferences }: { preferences: Preferences }) {
  const form = useForm({
    resolver: zodResolver(ChangePreferences.required()),
    defaultValues: preferences,
    values: preferences,
    resetOptions: { keepDirtyValues: true },
  })
  const { errors } = form.formState
  const { mutateAsync, isPending } = useMutation(savePreferencesMutation)
  return (
    <Form
      form={form}
      pending={isPending}
      onSubmit={async (values) => {
        await mutateAsync(values)
        form.reset(values)
      }}
      className="flex flex-col gap-5 p-4 md:p-5"
    >
      {switches.map(({ name, label, hint }) => (
        <Controller
          key={name}
          control={form.control}
          name={name}
          render={({ field }) => (
            <SwitchField label={label} hint={hint} checked={field.value} onCheckedChange={field.onChange} />
          )}
        />
      ))}
      <div className="grid gap-4 border-t border-line pt-5 sm:grid-cols-2">
        <Controller
          control={form.control}
          name="theme"
          render={({ field }) => (
            <Field label="Theme" hint="Applies as soon as it is saved." error={errors.theme?.message}>
              {(control) => <Select {...control} value={field.value} onValueChange={field.onChange} options={themes} />}
            </Field>
          )}
        />
        <Controller
          control={form.control}
          name="timezone"
          render={({ field }) => (
            <Field label="Timezone" hint="For the times on all screens." error={errors.timezone?.message}>
              {(control) => (
                <Select
                  {...control}
                  value={field.value}
                  onValueChange={field.onChange}
                  options={timezoneOptions(preferences.timezone)}
                />
              )}
            </Field>
          )}
        />
      </div>
      <Button type="submit" variant="primary" pendingText={isPending && 'Saving...'} className="sm:self-end">
        Save Preferences
      </Button>
    </Form>
  )
}
