import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Register } from '#schemas/account.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Form } from '#web/ui/form.tsx'
import { Input } from '#web/ui/input.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { reportMissingFields } from './missing-fields.ts'
import { registrationQuery } from '#web/lib/queries/registration.ts'
import { registerMutation } from './session-mutations.ts'

export function RegisterForm() {
  const form = useForm({
    resolver: zodResolver(Register),
    defaultValues: { firstName: '', lastName: '', username: '', email: '', password: '' },
  })
  const { errors } = form.formState
  const { mutateAsync, isPending } = useMutation(registerMutation)
  const { data: registration } = useQuery(registrationQuery)

  if (registration?.mode === 'closed') {
    return <Notice>Nobody can create an account on this server by themselves. Ask its operator for one.</Notice>
  }
  return (
    <Form
      form={form}
      pending={isPending}
      onSubmit={(account) => mutateAsync(account)}
      onInvalid={() => reportMissingFields(form.getValues(['username', 'email', 'password']))}
      problemFields={{ 'username-taken': 'username', 'email-taken': 'email', 'invite-invalid': 'inviteCode' }}
      className="flex flex-col gap-4"
    >
      <div className="flex flex-col gap-4 sm:flex-row">
        <Field label="First Name" optional error={errors.firstName?.message}>
          {(control) => <Input {...control} {...form.register('firstName')} autoComplete="given-name" />}
        </Field>
        <Field label="Last Name" optional error={errors.lastName?.message}>
          {(control) => <Input {...control} {...form.register('lastName')} autoComplete="family-name" />}
        </Field>
      </div>
      <Field label="Username" error={errors.username?.message}>
        {(control) => (
          <Input {...control} {...form.register('username')} autoComplete="username" autoCapitalize="none" required />
        )}
      </Field>
      <Field label="Email" error={errors.email?.message}>
        {(control) => <Input {...control} {...form.register('email')} type="email" autoComplete="email" required />}
      </Field>
      <Field label="Password" hint="At least 8 characters." error={errors.password?.message}>
        {(control) => (
          <Input {...control} {...form.register('password')} type="password" autoComplete="new-password" required />
        )}
      </Field>
      {registration?.mode === 'invite' && (
        <Field label="Invite Code" hint="From the operator of this server." error={errors.inviteCode?.message}>
          {(control) => (
            <Input {...control} {...form.register('inviteCode')} autoComplete="off" required className="font-mono" />
          )}
        </Field>
      )}
      <Button type="submit" variant="primary" pendingText={isPending && 'Creating account...'} className="mt-1">
        Create Account
      </Button>
    </Form>
  )
}
