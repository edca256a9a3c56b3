import { useQuery, useMutation } from '@tanstack/react-query'
import { ChangePreferences, type Preferences } from '#schemas/preferences.ts'
import { preferencesQuery } from '#web/lib/queries/preferences.ts'
import { useUnsavedEdits } from '#web/lib/unsaved-edits.ts'
import { Card } from '#web/ui/card.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { Button } from '#web/ui/button.tsx'
import { editedValues } from '#web/ui/edited-values.ts'
import { Form } from '#web/ui/form.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { withOption } from '#web/ui/select.tsx'
import { FormSwitch } from '#web/ui/switch-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { savePreferencesMutation } from './profile-mutations.ts'

export function PreferencesTab() {
  const preferences = useQuery(preferencesQuery)
  return (
    <Card title="Notification Preferences" description="What is mailed to you, and how screens look.">
      <QueryView
        query={preferences}
        skeleton={<RowSkeletons rows={4} />}
        errorTitle="The preferences could not be loaded"
      >
        {(values) => <PreferencesForm preferences={values} />}
      </QueryView>
    </Card>
  )
}

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
function PreferencesForm({ preferences }: { preferences: Preferences }) {
  const form = useZodForm(ChangePreferences.required(), {
    defaultValues: preferences,
    values: preferences,
    resetOptions: { keepDirtyValues: true },
  })
  const { dirtyFields, isDirty } = form.formState
  const { mutateAsync, isPending } = useMutation(savePreferencesMutation)
  useUnsavedEdits(isDirty && !isPending)
  return (
    <Form
      draft={{ name: 'preferences' }}
      form={form}
      pending={isPending}
      onSubmit={async (values) => {
        form.reset(await mutateAsync(editedValues(values, dirtyFields)), { keepDirtyValues: false })
      }}
      className="flex flex-col gap-5 p-4"
    >
      {switches.map((field) => (
        <FormSwitch key={field.name} form={form} {...field} />
      ))}
      <div className="grid gap-4 border-t border-line pt-5 sm:grid-cols-2">
        <SelectField form={form} name="theme" label="Theme" hint="Applies as soon as it is saved." options={themes} />
        <SelectField
          form={form}
          name="timezone"
          label="Timezone"
          hint="For the times on all screens."
          // Another program may have set another one.
          options={withOption(timezones, preferences.timezone, preferences.timezone)}
        />
      </div>
      <Button type="submit" variant="primary" pendingText={isPending && 'Saving...'} className="sm:self-end">
        Save Preferences
      </Button>
    </Form>
  )
}

/** Source: product.md 10.16. */
const timezones = [
  { value: 'UTC', label: 'UTC' },
  { value: 'America/New_York', label: 'Eastern Time' },
  { value: 'America/Chicago', label: 'Central Time' },
  { value: 'America/Denver', label: 'Mountain Time' },
  { value: 'America/Los_Angeles', label: 'Pacific Time' },
  { value: 'Europe/London', label: 'London' },
  { value: 'Europe/Paris', label: 'Paris' },
  { value: 'Asia/Tokyo', label: 'Tokyo' },
]
