import { useMutation } from '@tanstack/react-query'
import { ResetPassword } from '#schemas/account.ts'
import { leaveSession } from '#web/lib/session/leave-document.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Form } from '#web/ui/form.tsx'
import { Input } from '#web/ui/input.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { newPassword, TextField } from '#web/ui/text-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { resetPasswordMutation } from './mailed-link-mutations.ts'
import { SessionLayout, SessionLink } from './session-layout.tsx'

export function ResetPasswordScreen({ secret }: { secret: string }) {
  const form = useZodForm(ResetPassword, { defaultValues: { secret, newPassword: '', confirmPassword: '' } })
  const { errors } = form.formState
  const { mutateAsync, isPending, isSuccess } = useMutation(resetPasswordMutation)
  return (
    <SessionLayout title="Set a new password" heading="Set a new password" description="It signs you out everywhere.">
      {isSuccess ? (
        <div className="flex flex-col items-start gap-4">
          <Notice title="Your password is set">Sign in with it.</Notice>
          <Button variant="primary" onClick={() => leaveSession('/auth')}>
            Sign in
          </Button>
        </div>
      ) : (
        <Form form={form} pending={isPending} onSubmit={(reset) => mutateAsync(reset)}>
          <TextField form={form} name="newPassword" {...newPassword} />
          <Field label="Confirm Password" error={errors.confirmPassword?.message ?? errors.secret?.message}>
            {(control) => (
              <Input {...control} {...form.register('confirmPassword')} type="password" autoComplete="new-password" />
            )}
          </Field>
          <Button type="submit" variant="primary" pendingText={isPending && 'Updating...'} className="mt-1">
            Update Password
          </Button>
          <SessionLink to="/forgot-password">Send another link</SessionLink>
        </Form>
      )}
    </SessionLayout>
  )
}
