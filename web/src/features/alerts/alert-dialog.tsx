import { useMutation, useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { AlertCondition, type SaveAlert } from '#schemas/alerts.ts'
import { Dialog, FormActions } from '#web/ui/dialog.tsx'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Form } from '#web/ui/form.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { AlertPreview } from './alert-preview.tsx'
import { AlertForm, editedSettings, read, textsOf } from './alert-texts.ts'
import { addAlertMutation, changeAlertMutation, webhooksQuery } from './alerts-queries.ts'
import { ChannelFields } from './channel-fields.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { FilterFields } from './filter-fields.tsx'

type AlertDialogProps = {
  /** `null`: a new alert. */
  alertId: string | null
  settings: SaveAlert
  /** What the numbers of a chart were searched for. */
  search?: string | undefined
  open: boolean
  onClose: () => void
}

export const AlertDialog = ({ alertId, settings, search, open, onClose }: AlertDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={alertId === null ? 'Add Alert' : 'Edit Alert'}
    description="One message is sent when it fires, and one when it is resolved."
    size="lg"
  >
    <AlertFields alertId={alertId} settings={settings} search={search} onDone={onClose} />
  </Dialog>
)

type AlertFieldsProps = Pick<AlertDialogProps, 'alertId' | 'settings' | 'search'> & { onDone: () => void }

function AlertFields({ alertId, settings, search, onDone }: AlertFieldsProps) {
  const form = useZodForm(AlertForm, { defaultValues: textsOf(settings) })
  const { dirtyFields } = form.formState
  const texts = useWatch({ control: form.control, compute: (values) => values })
  const add = useMutation(addAlertMutation)
  const change = useMutation(changeAlertMutation)
  const { data: webhooks } = useQuery(webhooksQuery)
  const isPending = add.isPending || change.isPending
  const condition = AlertCondition.safeParse(read(texts)).data

  async function save(edited: SaveAlert) {
    // A webhook that was deleted elsewhere since it was selected is no longer shown.
    const webhookIds = edited.webhookIds.filter((id) => webhooks?.some((webhook) => webhook.id === id) ?? true)
    const alert = { ...edited, webhookIds }
    const changes = editedSettings(alert, dirtyFields)
    if (alertId === null) await add.mutateAsync(alert)
    else if (Object.keys(changes).length > 0) {
      await change.mutateAsync({ id: alertId, changes, previousWebhookIds: settings.webhookIds })
    }
    onDone()
  }

  return (
    <Form form={form} pending={isPending} onSubmit={save} draft={{ name: `alert ${alertId ?? 'new'}` }}>
      <TextField form={form} name="name" label="Name" placeholder="Errors of production" autoComplete="off" required />
      <ConditionFields form={form} measure={texts.measure} />
      <FilterFields form={form} measure={texts.measure} group={texts.group} others={texts.others} />
      {search && (
        <Notice tone="warn">The search for “{visibleLine(search)}” is left out: alerts don’t search requests.</Notice>
      )}
      <AlertPreview condition={condition} />
      <ChannelFields form={form} />
      <FormActions
        submitText={alertId === null ? 'Add Alert' : 'Save Changes'}
        pendingText={isPending && 'Saving...'}
        onCancel={onDone}
      />
    </Form>
  )
}
