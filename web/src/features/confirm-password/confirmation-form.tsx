import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Confirmation } from '#schemas/sessions.ts'
import { problemOf } from '#web/lib/api.ts'
import { twoFactorQuery } from '#web/lib/queries/two-factor.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { confirmMutation } from './confirm-mutation.ts'

type ConfirmationFormProps = { onConfirmed: () => void; onCancel: () => void }

export function ConfirmationForm({ onConfirmed, onCancel }: ConfirmationFormProps) {
  const twoFactor = useQuery(twoFactorQuery)
  const form = useForm({ resolver: zodResolver(Confirmation), defaultValues: { currentPassword: '' } })
  const { mutateAsync, isPending } = useMutation(confirmMutation)

  async function confirm(confirmation: Confirmation) {
    try {
      await mutateAsync(confirmation)
      onConfirmed()
    } catch (error) {
      // Switched on meanwhile, in another window.
      const needsCode = problemOf(error)?.code === 'two-factor-required'
      if (needsCode && !twoFactor.data?.enabled) await twoFactor.refetch()
      throw error
    }
  }

  return (
    <Form
      form={form}
      pending={isPending}
      onSubmit={confirm}
      problemFields={{ 'two-factor-required': 'code' }}
      className="flex flex-col gap-4"
    >
      <TextField
        form={form}
        name="currentPassword"
        label="Current Password"
        type="password"
        autoComplete="current-password"
      />
      {twoFactor.data?.enabled && (
        <TextField
          form={form}
          name="code"
          label="Code"
          hint="From your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          className="font-mono"
        />
      )}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pendingText={isPending && 'Checking...'}>
          Confirm
        </Button>
      </DialogActions>
    </Form>
  )
}
