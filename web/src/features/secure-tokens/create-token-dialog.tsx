import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { CreatedSecureToken } from '#schemas/secure-tokens.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, FormActions } from '#web/ui/dialog.tsx'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { NewToken, newTokenTitles } from './new-token.tsx'
import { createTokenMutation } from './secure-tokens-mutations.ts'
import { reportMissingName, TokenFields } from './token-fields.tsx'
import { emptyTexts, enteredValues, newTokenTexts, today } from './token-texts.ts'

const formTitles = {
  title: 'Create Secure Token',
  description: 'Clients send it as a bearer credential instead of a provider key.',
}

/** The button and its dialog, which shows the new token once. The URL says whether it is open. */
export function CreateTokenDialog() {
  const { dialog } = useSearch({ from: '/secure-tokens' })
  const navigate = useNavigate({ from: '/secure-tokens' })
  const open = dialog === 'create'
  const [wasOpen, setWasOpen] = useState(open)
  const [token, setToken] = useState<CreatedSecureToken | null>(null)
  // It starts with the form each time, also when a link or a command opens it.
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setToken(null)
  }

  const show = (next: boolean) =>
    void navigate({ search: next ? { dialog: 'create' } : {}, replace: true, resetScroll: false, ignoreBlocker: true })

  return (
    <>
      <Button variant="primary" onClick={() => show(true)}>
        <Plus />
        Create Token
      </Button>
      <Dialog
        open={open}
        onClose={() => show(false)}
        size={token === null ? 'md' : 'lg'}
        modal={token === null ? 'dismissable' : 'sticky'}
        {...(token === null ? formTitles : newTokenTitles)}
      >
        {token === null ? (
          <CreateTokenForm onCreated={setToken} onCancel={() => show(false)} />
        ) : (
          <NewToken id={token.id} token={token.token} onDone={() => show(false)} />
        )}
      </Dialog>
    </>
  )
}

type CreateTokenFormProps = { onCreated: (token: CreatedSecureToken) => void; onCancel: () => void }

function CreateTokenForm({ onCreated, onCancel }: CreateTokenFormProps) {
  const zone = useTimeZone()
  const form = useZodForm(newTokenTexts(zone), { defaultValues: emptyTexts })
  const { mutateAsync, isPending } = useMutation(createTokenMutation)
  return (
    <Form
      form={form}
      pending={isPending}
      onSubmit={async (token) => onCreated(await mutateAsync(enteredValues(token)))}
      onInvalid={() => reportMissingName(form)}
      draft={{ name: 'new-token' }}
    >
      <TokenFields form={form} expanded={false}>
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
      <FormActions submitText="Create Token" pendingText={isPending && 'Creating...'} onCancel={onCancel} />
    </Form>
  )
}
