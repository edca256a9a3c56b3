import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Login } from '#schemas/account.ts'
import { problemOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { currentPassword, signInCode, TextField } from '#web/ui/text-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { reportMissingFields } from './missing-fields.ts'
import { SessionLink } from './session-layout.tsx'
import { loginMutation } from './session-mutations.ts'

export function LoginForm() {
  const form = useZodForm(Login, { defaultValues: { username: '', password: '' } })
  const [needsCode, setNeedsCode] = useState(false)
  const { mutateAsync, isPending, isSuccess } = useMutation({
    ...loginMutation,
    onError: (error) => {
      if (problemOf(error)?.code === 'two-factor-required') setNeedsCode(true)
    },
  })

  // Until the next screen is loaded, another press would log in again.
  const isBusy = isPending || isSuccess

  // The field appears after the form was sent; the form restores its own focus first.
  const { setFocus } = form
  useEffect(() => {
    if (needsCode && !isBusy) setFocus('code')
  }, [needsCode, isBusy, setFocus])

  return (
    <Form
      form={form}
      pending={isBusy}
      onSubmit={(credentials) => mutateAsync(credentials)}
      problemFields={{ 'two-factor-invalid': 'code' }}
      onInvalid={() => reportMissingFields(form.getValues(['username', 'password']))}
    >
      <TextField form={form} name="username" label="Username" autoComplete="username" autoCapitalize="none" required />
      <TextField form={form} name="password" {...currentPassword} label="Password" required />
      {needsCode && <TextField form={form} name="code" {...signInCode} />}
      <Button type="submit" variant="primary" pendingText={isBusy && 'Logging in...'} className="mt-1">
        Login
      </Button>
      <div className="text-center">
        <SessionLink to="/forgot-password">Forgot password?</SessionLink>
      </div>
    </Form>
  )
}
