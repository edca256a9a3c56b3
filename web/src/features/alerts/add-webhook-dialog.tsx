import { useMutation } from '@tanstack/react-query'
import { CreateWebhook } from '#schemas/webhooks.ts'
import { FormActions } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { codeInput } from '#web/ui/input.tsx'
import { NewSecretDialog } from '#web/ui/one-time-secret.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { addWebhookMutation } from './alerts-queries.ts'

const titles = {
  form: { title: 'Add Webhook', description: 'Messages are sent there as signed POST requests.' },
  secret: { title: 'Your signing secret', description: 'The receiver checks with it that a message is from here.' },
}

export const AddWebhookDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <NewSecretDialog open={open} onClose={onClose} kind="secret" titles={titles}>
    {(show) => <WebhookForm onAdded={show} onCancel={onClose} />}
  </NewSecretDialog>
)

function WebhookForm({ onAdded, onCancel }: { onAdded: (secret: string) => void; onCancel: () => void }) {
  const form = useZodForm(CreateWebhook, { defaultValues: { name: '', url: '' } })
  const { mutateAsync, isPending } = useMutation(addWebhookMutation)
  return (
    <Form
      form={form}
      pending={isPending}
      onSubmit={async (webhook) => onAdded((await mutateAsync(webhook)).secret)}
      // The receiver's address may be a secret.
      draft={{ name: 'new-webhook', secrets: ['url'] }}
    >
      <TextField form={form} name="name" label="Name" placeholder="Pager" autoComplete="off" required />
      <TextField
        form={form}
        name="url"
        label="URL"
        placeholder="https://example.com/hooks/sallyport"
        inputMode="url"
        {...codeInput}
        required
      />
      <FormActions submitText="Add Webhook" pendingText={isPending && 'Adding...'} onCancel={onCancel} />
    </Form>
  )
}
