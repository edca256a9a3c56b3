import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { UpdateProfile, type User } from '#schemas/account.ts'
import { useUnsavedEdits } from '#web/lib/unsaved-edits.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { FormActions } from '#web/ui/dialog.tsx'
import { editedValues } from '#web/ui/edited-values.ts'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useFocusHeir } from '#web/ui/use-focus-heir.ts'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { updateProfileMutation } from './profile-mutations.ts'

const fields = [
  { name: 'firstName', label: 'First Name', autoComplete: 'given-name', type: 'text' },
  { name: 'lastName', label: 'Last Name', autoComplete: 'family-name', type: 'text' },
  { name: 'username', label: 'Username', autoComplete: 'username', type: 'text' },
  { name: 'email', label: 'Email Address', autoComplete: 'email', type: 'email' },
] as const

const valuesOf = ({ firstName, lastName, username, email }: User) => ({
  firstName: firstName ?? '',
  lastName: lastName ?? '',
  username,
  email,
})

/** Otherwise `resetOptions` hold for every reset. */
const discardingEdits = { keepDirtyValues: false }

/** Read-only until Edit. Source: product.md 10.15. */
export function PersonalInformation({ user }: { user: User }) {
  const [isEditing, setEditing] = useState(false)
  const form = useZodForm(UpdateProfile, {
    defaultValues: valuesOf(user),
    values: valuesOf(user),
    resetOptions: { keepDirtyValues: true },
  })
  const { dirtyFields, isDirty } = form.formState
  const { mutateAsync, isPending } = useMutation(updateProfileMutation)
  useUnsavedEdits(isEditing && isDirty && !isPending)

  function edit() {
    setEditing(true)
    form.setFocus('firstName')
  }

  function cancel() {
    form.reset(valuesOf(user), discardingEdits)
    setEditing(false)
  }

  async function save(profile: UpdateProfile) {
    form.reset(valuesOf(await mutateAsync(editedValues(profile, dirtyFields))), discardingEdits)
    setEditing(false)
  }

  return (
    <Card
      title="Personal Information"
      description="How you appear here, and where mails go."
      action={
        <Button size="sm" disabled={isPending} onClick={() => (isEditing ? cancel() : edit())}>
          {isEditing ? 'Cancel' : 'Edit'}
        </Button>
      }
    >
      <Form
        form={form}
        pending={isPending}
        onSubmit={save}
        draft={{ name: 'person', onRestored: () => setEditing(true) }}
        problemFields={{ 'username-taken': 'username', 'email-taken': 'email' }}
        className="flex flex-col gap-5 p-4"
      >
        <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
          {fields.map(({ name, label, autoComplete, type }) => (
            <TextField
              key={name}
              form={form}
              name={name}
              label={label}
              type={type}
              autoComplete={autoComplete}
              autoCapitalize={name === 'username' ? 'none' : undefined}
              readOnly={!isEditing}
              className="read-only:border-line read-only:bg-bg"
            />
          ))}
        </div>
        {isEditing && <EditActions isPending={isPending} onCancel={cancel} />}
      </Form>
    </Card>
  )
}

function EditActions({ isPending, onCancel }: { isPending: boolean; onCancel: () => void }) {
  const box = useFocusHeir<HTMLDivElement>('section')
  return (
    <div ref={box}>
      <FormActions submitText="Save Changes" pendingText={isPending && 'Saving...'} onCancel={onCancel} />
    </div>
  )
}
