import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Login } from '#schemas/account.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Form } from '#web/ui/form.tsx'
import { Input } from '#web/ui/input.tsx'
import { reportMissingFields } from './missing-fields.ts'
import { loginMutation } from './session-mutations.ts'

export function LoginForm() {
  const form = useForm({ resolver: zodResolver(Login), defaultValues: { username: '', password: '' } })
  const { errors } = form.formState
  const { mutateAsync, isPending } = useMutation(loginMutation(useQueryClient()))

  return (
    <Form
      form={form}
      pending={isPending}
      onSubmit={(credentials) => mutateAsync(credentials)}
      onInvalid={() => reportMissingFields(form.getValues(['username', 'password']))}
      className="flex flex-col gap-4"
    >
      <Field label="Username" error={errors.username?.message}>
        {(control) => (
          <Input {...control} {...form.register('username')} autoComplete="username" autoCapitalize="none" required />
        )}
      </Field>
      <Field label="Password" error={errors.password?.message}>
        {(control) => (
          <Input {...control} {...form.register('password')} type="password" autoComplete="current-password" required />
        )}
      </Field>
      <Button type="submit" variant="primary" pendingText={isPending && 'Logging in...'} className="mt-1">
        Login
      </Button>
    </Form>
  )
}
