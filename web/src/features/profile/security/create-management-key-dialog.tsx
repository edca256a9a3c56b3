import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { type ManagementArea, managementAreas, NewManagementKey } from '#schemas/management-keys.ts'
import { FormActions } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { NewSecretDialog } from '#web/ui/one-time-secret.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { createManagementKeyMutation } from './management-keys-queries.ts'

const titles = {
  form: { title: 'Create Management Key', description: 'What it may do can’t be changed later.' },
  secret: { title: 'Your new management key', description: 'Copy it now and keep it in a safe place.' },
}

export const CreateManagementKeyDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <NewSecretDialog open={open} onClose={onClose} kind="key" titles={titles}>
    {(show) => <ManagementKeyForm onCreated={show} onCancel={onClose} />}
  </NewSecretDialog>
)

const areas: Record<ManagementArea, { label: string; hint: string }> = {
  credentials: { label: 'Credentials', hint: 'API keys, secure tokens, proxy configuration, prices' },
  logs: { label: 'Logs', hint: 'Request logs, analytics, saved views' },
  alerts: { label: 'Alerts', hint: 'Alerts and webhooks' },
  account: { label: 'Account', hint: 'Profile, preferences, activity' },
}

const accesses = [
  { value: 'none', label: 'None' },
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Read and write' },
] as const

const lives = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
] as const

const Access = z.enum(accesses.map(({ value }) => value))

/** An area that is not chosen has the access `none`. */
const KeyForm = z
  .object({
    name: NewManagementKey.shape.name,
    days: z.enum(lives.map(({ value }) => value)),
    ...(Object.fromEntries(managementAreas.map((area) => [area, Access])) as Record<ManagementArea, typeof Access>),
  })
  .refine((values) => managementAreas.some((area) => values[area] !== 'none'), {
    path: ['credentials'],
    message: 'Choose at least one area',
  })

const defaultValues = {
  name: '',
  days: '90',
  credentials: 'none',
  logs: 'none',
  alerts: 'none',
  account: 'none',
} as const

type ManagementKeyFormProps = { onCreated: (key: string) => void; onCancel: () => void }

function ManagementKeyForm({ onCreated, onCancel }: ManagementKeyFormProps) {
  const form = useZodForm(KeyForm, { defaultValues })
  const { mutateAsync, isPending } = useMutation(createManagementKeyMutation)

  async function create({ name, days, ...access }: z.output<typeof KeyForm>) {
    const scopes = managementAreas.flatMap((area) => {
      const chosen = access[area]
      return chosen === 'none' ? [] : [`${area}:${chosen}` as const]
    })
    onCreated((await mutateAsync({ name, scopes, days: Number(days) })).key)
  }

  return (
    <Form form={form} pending={isPending} onSubmit={create} draft={{ name: 'new-management-key' }}>
      <TextField form={form} name="name" label="Name" placeholder="Deployment" autoComplete="off" required />
      <div className="grid gap-4 sm:grid-cols-2">
        {managementAreas.map((area) => (
          <SelectField key={area} form={form} name={area} {...areas[area]} options={accesses} />
        ))}
      </div>
      <SelectField form={form} name="days" label="Expires After" options={lives} />
      <FormActions submitText="Create Key" pendingText={isPending && 'Creating...'} onCancel={onCancel} />
    </Form>
  )
}
