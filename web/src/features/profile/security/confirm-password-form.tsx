import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { ConfirmedByPassword } from '#schemas/two-factor.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Form } from '#web/ui/form.tsx'
import { Input } from '#web/ui/input.tsx'
import { ApiError } from '#web/lib/api.ts'

type ConfirmPasswordFormProps = {
  pending: boolean
  onConfirm: (password: string) => Promise<void>
  onCancel: () => void
}

export function ConfirmPasswordForm({ pending, onConfirm, onCancel }: ConfirmPasswordFormProps) {
  const form = useForm({ resolver: zodResolver(ConfirmedByPassword), defaultValues: { currentPassword: '' } })

  async function confirm({ currentPassword }: ConfirmedByPassword) {
    try {
      await onConfirm(currentPassword)
    } catch (error) {
      const problem = error instanceof ApiError ? error.problem : null
      if (problem?.code === 'wrong-password') form.setError('currentPassword', { message: problem.detail })
      throw error
    }
  }

  return (
    <Form form={form} pending={pending} onSubmit={confirm} className="flex flex-col gap-4">
      <Field label="Current Password" error={form.formState.errors.currentPassword?.message}>
        {(control) => (
          <Input {...control} {...form.register('currentPassword')} type="password" autoComplete="current-password" />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pendingText={pending && 'Checking...'}>
          Continue
        </Button>
      </DialogActions>
    </Form>
  )
}
