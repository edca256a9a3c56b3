import { useMutation, useQuery } from '@tanstack/react-query'
import { Register } from '#schemas/account.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { codeInput } from '#web/ui/input.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { newPassword, TextField } from '#web/ui/text-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { reportMissingFields } from './missing-fields.ts'
import { registrationQuery } from '#web/lib/queries/registration.ts'
import { registerMutation } from './session-mutations.ts'

export function RegisterForm() {
  const form = useZodForm(Register, {
    defaultValues: { firstName: '', lastName: '', username: '', email: '', password: '' },
  })
  const { mutateAsync, isPending, isSuccess } = useMutation(registerMutation)
  // Until the next screen is loaded, another press would register again.
  const isBusy = isPending || isSuccess
  const { data: registration } = useQuery(registrationQuery)

  if (registration?.mode === 'closed') {
    return <Notice>Nobody can create an account on this server by themselves. Ask its operator for one.</Notice>
  }
  return (
    <Form
      form={form}
      pending={isBusy}
      onSubmit={(account) => mutateAsync(account)}
      onInvalid={() => reportMissingFields(form.getValues(['username', 'email', 'password']))}
      problemFields={{ 'username-taken': 'username', 'email-taken': 'email', 'invite-invalid': 'inviteCode' }}
    >
      <div className="flex flex-col gap-4 sm:flex-row">
        <TextField form={form} name="firstName" label="First Name" optional autoComplete="given-name" />
        <TextField form={form} name="lastName" label="Last Name" optional autoComplete="family-name" />
      </div>
      <TextField form={form} name="username" label="Username" autoComplete="username" autoCapitalize="none" required />
      <TextField form={form} name="email" label="Email" type="email" autoComplete="email" required />
      <TextField form={form} name="password" {...newPassword} label="Password" required />
      {registration?.mode === 'invite' && (
        <TextField
          form={form}
          name="inviteCode"
          label="Invite Code"
          hint="From the operator of this server."
          required
          {...codeInput}
        />
      )}
      <Button type="submit" variant="primary" pendingText={isBusy && 'Creating account...'} className="mt-1">
        Create Account
      </Button>
    </Form>
  )
}
