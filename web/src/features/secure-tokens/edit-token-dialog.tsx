import { useMutation } from '@tanstack/react-query'
import type { SecureToken, ChangeSecureToken } from '#schemas/secure-tokens.ts'
import { Dialog, FormActions } from '#web/ui/dialog.tsx'
import { editedValues } from '#web/ui/edited-values.ts'
import { Form } from '#web/ui/form.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { changeTokenMutation } from './secure-tokens-mutations.ts'
import { reportMissingName, TokenFields } from './token-fields.tsx'
import { textsOf, TokenTexts } from './token-texts.ts'

type EditTokenDialogProps = { token: SecureToken; open: boolean; onClose: () => void }

export const EditTokenDialog = ({ token, open, onClose }: EditTokenDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Edit Secure Token"
    description="A change takes effect at once; the token itself stays the same."
  >
    <EditTokenForm token={token} onDone={onClose} />
  </Dialog>
)

function EditTokenForm({ token, onDone }: { token: SecureToken; onDone: () => void }) {
  const form = useZodForm(TokenTexts, { defaultValues: textsOf(token) })
  const { dirtyFields, isDirty } = form.formState
  const { mutateAsync, isPending } = useMutation(changeTokenMutation)

  async function save(values: ChangeSecureToken) {
    const changes = editedValues(values, dirtyFields)
    if (Object.keys(changes).length > 0) await mutateAsync({ id: token.id, changes })
    onDone()
  }

  return (
    <Form
      form={form}
      pending={isPending}
      onSubmit={save}
      onInvalid={() => reportMissingName(form)}
      draft={{ name: `token ${token.id}` }}
    >
      <TokenFields form={form} expanded />
      <FormActions
        submitText="Save Changes"
        pendingText={isPending && 'Saving...'}
        disabled={!isDirty}
        onCancel={onDone}
      />
    </Form>
  )
}
