import { useQuery } from '@tanstack/react-query'
import { Confirmation } from '#schemas/sessions.ts'
import { currentUserQuery } from '#web/lib/session/session.ts'
import { FormActions } from './dialog.tsx'
import { Form } from './form.tsx'
import { currentPassword, signInCode, TextField } from './text-field.tsx'
import { useZodForm } from './use-zod-form.ts'

/** Tells password managers whose password a form asks for. Before its field, where Firefox looks for it. */
export function UsernameOfPassword() {
  const { data: user } = useQuery(currentUserQuery)
  return <input type="text" autoComplete="username" value={user?.username ?? ''} readOnly hidden />
}

type ConfirmPasswordFormProps = {
  /** Asks for the code of two-factor sign-in, too. */
  needsCode?: boolean
  submitText: string
  /** Shown on the button while the call is under way. */
  pendingText: string | false
  onConfirm: (confirmation: Confirmation) => Promise<unknown>
  onCancel: () => void
}

export function ConfirmPasswordForm(props: ConfirmPasswordFormProps) {
  const { needsCode = false, submitText, pendingText, onConfirm, onCancel } = props
  const form = useZodForm(Confirmation, { defaultValues: { currentPassword: '' } })
  return (
    <Form
      form={form}
      pending={pendingText !== false}
      onSubmit={onConfirm}
      problemFields={{ 'wrong-password': 'currentPassword', 'two-factor-required': 'code' }}
    >
      <UsernameOfPassword />
      <TextField form={form} name="currentPassword" {...currentPassword} />
      {needsCode && <TextField form={form} name="code" {...signInCode} />}
      <FormActions submitText={submitText} pendingText={pendingText} onCancel={onCancel} />
    </Form>
  )
}
