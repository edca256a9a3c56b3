import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { ConfirmedByPassword } from '#schemas/two-factor.ts'
import { Button } from './button.tsx'
import { DialogActions } from './dialog.tsx'
import { Form } from './form.tsx'
import { TextField } from './text-field.tsx'

type ConfirmPasswordFormProps = {
  submitText: string
  /** Shown on the button while the call is under way. */
  pendingText: string | false
  onConfirm: (password: string) => Promise<unknown>
  onCancel: () => void
}

export function ConfirmPasswordForm({ submitText, pendingText, onConfirm, onCancel }: ConfirmPasswordFormProps) {
  const form = useForm({ resolver: zodResolver(ConfirmedByPassword), defaultValues: { currentPassword: '' } })
  return (
    <Form
      form={form}
      pending={pendingText !== false}
      onSubmit={({ currentPassword }) => onConfirm(currentPassword)}
      problemFields={{ 'wrong-password': 'currentPassword' }}
      className="flex flex-col gap-4"
    >
      <TextField
        form={form}
        name="currentPassword"
        label="Current Password"
        type="password"
        autoComplete="current-password"
      />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pendingText={pendingText}>
          {submitText}
        </Button>
      </DialogActions>
    </Form>
  )
}
