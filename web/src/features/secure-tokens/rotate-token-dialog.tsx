import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import type { SecureToken } from '#schemas/secure-tokens.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Dialog, FormActions } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { OneTimeSecret } from '#web/ui/one-time-secret.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { newTokenTitles } from './new-token.tsx'
import { rotateTokenMutation } from './secure-tokens-mutations.ts'

const graceTimes = [
  { value: '0', label: 'None: it ends now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
] as const

const Rotation = z.object({ graceHours: z.enum(graceTimes.map(({ value }) => value)) })
const defaultValues = { graceHours: '24' } as const

type RotateTokenDialogProps = { token: SecureToken; open: boolean; onClose: () => void }

/** Asks for the grace time, then shows the new secret once. */
export function RotateTokenDialog({ token, open, onClose }: RotateTokenDialogProps) {
  const form = useZodForm(Rotation, { defaultValues })
  const { mutateAsync, data, isPending } = useMutation(rotateTokenMutation)
  const titles = data
    ? newTokenTitles
    : { title: 'Rotate secure token', description: `“${visibleLine(token.name)}” gets a new secret, shown once.` }
  return (
    <Dialog open={open} onClose={onClose} modal={data ? 'sticky' : 'dismissable'} discardable {...titles}>
      {data ? (
        <OneTimeSecret secret={data.token} kind="token" onDone={onClose} />
      ) : (
        <Form
          form={form}
          pending={isPending}
          onSubmit={({ graceHours }) => mutateAsync({ id: token.id, graceHours: Number(graceHours) })}
        >
          <SelectField
            form={form}
            name="graceHours"
            label="Grace Time"
            hint="How long clients may go on using the current secret. You can end it earlier."
            options={graceTimes}
          />
          {token.previousSecret && (
            <Notice tone="warn">
              The previous secret <code className="font-mono text-xs">{token.previousSecret.token}</code> ends now: a
              token has at most two.
            </Notice>
          )}
          <FormActions submitText="Rotate Token" pendingText={isPending && 'Rotating...'} onCancel={onClose} />
        </Form>
      )}
    </Dialog>
  )
}
