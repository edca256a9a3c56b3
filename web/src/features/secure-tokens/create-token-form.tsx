import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { Button } from '#web/ui/button.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { createTokenMutation } from './secure-tokens-mutations.ts'
import { reportMissingName, TokenFields } from './token-fields.tsx'
import { emptyTexts, newTokenTexts, today } from './token-texts.ts'

type CreateTokenFormProps = { onCreated: (token: string) => void; onCancel: () => void }

export function CreateTokenForm({ onCreated, onCancel }: CreateTokenFormProps) {
  const zone = useTimeZone()
  const form = useForm({ resolver: zodResolver(newTokenTexts(zone)), defaultValues: emptyTexts })
  const { mutateAsync, isPending } = useMutation(createTokenMutation)
  return (
    <Form
      form={form}
      pending={isPending}
      onSubmit={async (token) => onCreated((await mutateAsync(token)).token)}
      onInvalid={() => reportMissingName(form)}
      className="flex flex-col gap-4"
    >
      <TokenFields form={form} showRestrictions={false}>
        <TextField
          form={form}
          name="expiresAt"
          label="Expiry Date"
          optional
          hint={`The token works to the end of that day (${zone}). Empty: it does not expire.`}
          type="date"
          min={today(zone)}
        />
      </TokenFields>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pendingText={isPending && 'Creating...'}>
          Create Token
        </Button>
      </DialogActions>
    </Form>
  )
}
