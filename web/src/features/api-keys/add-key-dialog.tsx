import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { provider } from '#schemas/product.ts'
import { CreateApiKey } from '#schemas/api-keys.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, FormActions } from '#web/ui/dialog.tsx'
import { toast } from '#web/lib/toast.ts'
import { Form } from '#web/ui/form.tsx'
import { secretInput } from '#web/ui/input.tsx'
import { FormSwitch } from '#web/ui/switch-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { addKeyMutation } from './api-keys-queries.ts'

/** The button and its dialog; the URL says whether it is open. */
export function AddKeyDialog() {
  const { dialog } = useSearch({ from: '/api-keys' })
  const navigate = useNavigate({ from: '/api-keys' })
  const open = dialog === 'add'
  const setOpen = (next: boolean) =>
    void navigate({ search: next ? { dialog: 'add' } : {}, replace: true, resetScroll: false, ignoreBlocker: true })
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus />
        Add API Key
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Add API Key"
        description={`A key of your ${provider.name} account. It is stored encrypted and only ever shown masked.`}
      >
        <AddKeyForm onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function AddKeyForm({ onDone }: { onDone: () => void }) {
  const form = useZodForm(CreateApiKey, { defaultValues: { name: '', key: '', isPrimary: false } })
  const { mutateAsync, isPending } = useMutation(addKeyMutation)

  function reportMissing() {
    if (form.getValues(['name', 'key']).every((value) => value.trim() !== '')) return
    toast({ title: 'Validation Error', description: 'Please provide both name and API key', destructive: true })
  }

  return (
    <Form
      form={form}
      pending={isPending}
      onSubmit={async (key) => {
        await mutateAsync(key)
        onDone()
      }}
      onInvalid={reportMissing}
      draft={{ name: 'new-key', secrets: ['key'] }}
    >
      <TextField form={form} name="name" label="Name" placeholder="Production" autoComplete="off" required />
      <TextField form={form} name="key" label="API Key" placeholder="sk-…" {...secretInput} required />
      <FormSwitch
        form={form}
        name="isPrimary"
        label="Set as primary key"
        hint="The primary key is used first; the others are backup. Your first key becomes primary by itself."
      />
      <FormActions submitText="Add Key" pendingText={isPending && 'Adding...'} onCancel={onDone} />
    </Form>
  )
}
