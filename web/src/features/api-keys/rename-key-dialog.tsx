import { useMutation } from '@tanstack/react-query'
import { type ApiKey, RenameApiKey } from '#schemas/api-keys.ts'
import { Dialog, FormActions } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { renameKeyMutation } from './api-keys-queries.ts'

type RenameKeyDialogProps = { apiKey: ApiKey; open: boolean; onClose: () => void }

export const RenameKeyDialog = ({ apiKey, open, onClose }: RenameKeyDialogProps) => (
  <Dialog open={open} onClose={onClose} title="Rename API Key" description="The key itself stays the same.">
    <RenameKeyForm apiKey={apiKey} onDone={onClose} />
  </Dialog>
)

function RenameKeyForm({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const form = useZodForm(RenameApiKey, { defaultValues: { name: apiKey.name } })
  const { mutateAsync, isPending } = useMutation(renameKeyMutation)
  return (
    <Form
      form={form}
      pending={isPending}
      onSubmit={async ({ name }) => {
        await mutateAsync({ id: apiKey.id, name })
        onDone()
      }}
      draft={{ name: `key ${apiKey.id}` }}
    >
      <TextField form={form} name="name" label="Name" autoComplete="off" required />
      <FormActions
        submitText="Save Changes"
        pendingText={isPending && 'Saving...'}
        disabled={!form.formState.isDirty}
        onCancel={onDone}
      />
    </Form>
  )
}
