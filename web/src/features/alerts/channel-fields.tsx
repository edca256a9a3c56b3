import { useQuery } from '@tanstack/react-query'
import { Controller } from 'react-hook-form'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { FormSwitch, SwitchField } from '#web/ui/switch-field.tsx'
import type { AlertUseForm } from './alert-texts.ts'
import { alertsQuery, webhooksQuery } from './alerts-queries.ts'

/** Where the alert is sent, and whether it is enabled. */
export function ChannelFields({ form }: { form: AlertUseForm }) {
  const { data: webhooks = [] } = useQuery(webhooksQuery)
  const { data } = useQuery(alertsQuery)
  const mailHint =
    data?.sendsMail === false ? 'This server sends no mails.' : 'To the confirmed address of your account.'
  return (
    <div className="flex flex-col gap-3">
      <FormSwitch form={form} name="mail" label="Mail" hint={mailHint} />
      <Controller
        control={form.control}
        name="webhookIds"
        render={({ field: { value, onChange } }) => (
          <>
            {webhooks.map(({ id, name, url }) => (
              <SwitchField
                key={id}
                label={`Webhook ${visibleLine(name)}`}
                hint={visibleLine(url)}
                checked={value.includes(id)}
                onCheckedChange={(checked) => onChange(checked ? [...value, id] : value.filter((each) => each !== id))}
              />
            ))}
          </>
        )}
      />
      <FormSwitch form={form} name="enabled" label="Enabled" hint="Off: it is not evaluated and keeps its state." />
    </div>
  )
}
