import { useMutation, useQuery } from '@tanstack/react-query'
import { ForgotPassword } from '#schemas/account.ts'
import { registrationQuery } from '#web/lib/queries/registration.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { forgotPasswordMutation } from './mailed-link-mutations.ts'
import { SessionLayout, SessionLink } from './session-layout.tsx'

export function ForgotPasswordScreen() {
  const { data: registration } = useQuery(registrationQuery)
  return (
    <SessionLayout
      title="Forgot password"
      heading="Forgot your password?"
      description="Set a new one by a link that is sent to you."
    >
      {registration?.sendsMail === false ? (
        <Notice>This server sends no mails. Its operator can reset your password.</Notice>
      ) : (
        <ForgotPasswordForm />
      )}
      <div className="mt-4">
        <SessionLink to="/auth">Back to sign in</SessionLink>
      </div>
    </SessionLayout>
  )
}

function ForgotPasswordForm() {
  const form = useZodForm(ForgotPassword, { defaultValues: { email: '' } })
  const { mutateAsync, isPending, isSuccess } = useMutation(forgotPasswordMutation)
  if (isSuccess) {
    return (
      <Notice title="Look into your mails">
        If an account has this address, and the address is confirmed, a link is on its way. It works for a day. Only a
        few are sent a day, so if nothing comes, use the link of an earlier mail. The operator of this server can reset
        your password, too.
      </Notice>
    )
  }
  return (
    <Form form={form} pending={isPending} onSubmit={(address) => mutateAsync(address)}>
      <TextField form={form} name="email" label="Email" type="email" autoComplete="email" required />
      <Button type="submit" variant="primary" pendingText={isPending && 'Sending...'} className="mt-1">
        Send Link
      </Button>
    </Form>
  )
}
