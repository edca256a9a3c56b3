import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { CreateSecureToken } from '#schemas/secure-tokens.ts'
import { timeZone, useTimeZone } from '#web/lib/time-zone.ts'
import { toast } from '#web/lib/toast.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Form } from '#web/ui/form.tsx'
import { Input } from '#web/ui/input.tsx'
import { RestrictionFields } from './restriction-fields.tsx'
import { createTokenMutation } from './secure-tokens-mutations.ts'

/** The calendar day of now in the account's time zone, by which the server counts too. */
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: timeZone() }).format(new Date())

const TokenForm = CreateSecureToken.refine(({ expiresAt }) => expiresAt === undefined || expiresAt >= today(), {
  path: ['expiresAt'],
  message: 'The expiry date must be today or later',
})

type CreateTokenFormProps = { onCreated: (token: string) => void; onCancel: () => void }

export function CreateTokenForm({ onCreated, onCancel }: CreateTokenFormProps) {
  const form = useForm({ resolver: zodResolver(TokenForm), defaultValues: { name: '' } })
  const { errors } = form.formState
  const zone = useTimeZone()
  const { mutateAsync, isPending } = useMutation(createTokenMutation)

  function reportMissing() {
    if (form.getValues('name').trim() !== '') return
    toast({ title: 'Name required', description: 'Please enter a name for your secure token', destructive: true })
  }

  return (
    <Form
      form={form}
      pending={isPending}
      onSubmit={async (token) => onCreated((await mutateAsync(token)).token)}
      onInvalid={reportMissing}
      className="flex flex-col gap-4"
    >
      <Field label="Token Name" error={errors.name?.message}>
        {(control) => (
          <Input {...control} {...form.register('name')} placeholder="Backend, staging" autoComplete="off" required />
        )}
      </Field>
      <Field
        label="Expiry Date"
        optional
        hint={`The token works to the end of that day (${zone}). Empty: it does not expire.`}
        error={errors.expiresAt?.message}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register('expiresAt', { setValueAs: (value: string) => value || undefined })}
            type="date"
            min={today()}
          />
        )}
      </Field>
      <RestrictionFields form={form} />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pendingText={isPending && 'Creating...'}>
          Create Token
        </Button>
      </DialogActions>
    </Form>
  )
}
