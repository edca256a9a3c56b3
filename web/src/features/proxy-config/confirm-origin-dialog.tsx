import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { ApiError } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Form } from '#web/ui/form.tsx'
import { Input } from '#web/ui/input.tsx'
import type { ConfigValues } from './config-values.ts'
import { saveConfigMutation } from './save-config-mutation.ts'

const requiredMessage = 'Current password is required'
const Confirmation = z.object({ currentPassword: z.string().min(1, requiredMessage) })

type ConfirmOriginDialogProps = { config: ConfigValues; open: boolean; onClose: () => void; onSaved: () => void }

/** Stored keys were entered for another address: sending them to the new one takes the password. */
export const ConfirmOriginDialog = ({ config, open, onClose, onSaved }: ConfirmOriginDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={(next) => !next && onClose()}
    title="Send your keys to a new address?"
    description={
      <>
        Your API keys were entered for another address. From now on they would be sent to{' '}
        <span className="font-mono text-xs break-all text-fg">{config.baseUrl}</span>. Confirm with your password.
      </>
    }
  >
    <PasswordForm config={config} onCancel={onClose} onSaved={onSaved} />
  </Dialog>
)

type PasswordFormProps = { config: ConfigValues; onCancel: () => void; onSaved: () => void }

function PasswordForm({ config, onCancel, onSaved }: PasswordFormProps) {
  const form = useForm({ resolver: zodResolver(Confirmation), defaultValues: { currentPassword: '' } })
  const { mutateAsync, isPending } = useMutation(saveConfigMutation)

  async function confirm({ currentPassword }: z.infer<typeof Confirmation>) {
    try {
      await mutateAsync({ ...config, currentPassword })
      onSaved()
    } catch (error) {
      const problem = error instanceof ApiError ? error.problem : null
      if (problem?.code === 'wrong-password') form.setError('currentPassword', { message: problem.detail })
      throw error
    }
  }

  return (
    <Form form={form} pending={isPending} onSubmit={confirm} className="flex flex-col gap-4">
      <Field label="Current Password" error={form.formState.errors.currentPassword?.message}>
        {(aria) => (
          <Input
            {...aria}
            {...form.register('currentPassword')}
            type="password"
            autoComplete="current-password"
            required
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pendingText={isPending && 'Saving...'}>
          Confirm and Save
        </Button>
      </DialogActions>
    </Form>
  )
}
