import { useMutation } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { ChangePassword } from '#schemas/account.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { UsernameOfPassword } from '#web/ui/confirm-password-form.tsx'
import { Form } from '#web/ui/form.tsx'
import { currentPassword, newPassword, TextField } from '#web/ui/text-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { changePasswordMutation } from '../profile-mutations.ts'

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' }

/** Source: product.md 10.16. */
export function PasswordForm() {
  const form = useZodForm(ChangePassword, { defaultValues: empty })
  const { mutateAsync, isPending } = useMutation(changePasswordMutation)
  const [wanted, confirmed] = useWatch({ control: form.control, name: ['newPassword', 'confirmPassword'] })
  const differs = confirmed !== '' && confirmed !== wanted
  return (
    <Card title="Change Password" description="Signs you out everywhere else.">
      <Form
        form={form}
        pending={isPending}
        onSubmit={async (passwords) => {
          await mutateAsync(passwords)
          form.reset(empty)
        }}
        className="flex flex-col gap-4 p-4"
      >
        <UsernameOfPassword />
        <TextField form={form} name="currentPassword" {...currentPassword} />
        <TextField form={form} name="newPassword" {...newPassword} />
        <TextField
          form={form}
          name="confirmPassword"
          {...newPassword}
          label="Confirm Password"
          hint={differs && <span className="text-danger">Passwords do not match</span>}
        />
        <Button type="submit" variant="primary" pendingText={isPending && 'Updating...'} className="mt-1 sm:self-start">
          Update Password
        </Button>
      </Form>
    </Card>
  )
}
