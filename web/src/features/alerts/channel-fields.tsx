import { useQuery } from '@tanstack/react-query'
import { Controller } from 'react-hook-form'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { SwitchField } from '#web/ui/switch-field.tsx'
import type { AlertUseForm } from './alert-texts.ts'
import { alertsQuery, webhooksQuery } from './alerts-queries.ts'

/** Whom the alert tells, and whether it is judged at all. */
export function ChannelFields({ form }: { form: AlertUseForm }) {
  const { data: webhooks = [] } = useQuery(webhooksQuery)
  const { data } = useQuery(alertsQuery)
  const mailHint =
    data?.sendsMail === false ? 'This server sends no mails.' : 'To the confirmed address of your account.'
  return (
    <div className="flex flex-col gap-3">
      <Controller
        control={form.control}
        name="mail"
        render={({ field }) => (
          <SwitchField label="Mail" hint={mailHint} checked={field.value} onCheckedChange={field.onChange} />
        )}
      />
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
      <Controller
        control={form.control}
        name="enabled"
        render={({ field }) => (
          <SwitchField
            label="Enabled"
            hint="Off: it is not judged and keeps its state."
            checked={field.value}
            onCheckedChange={field.onChange}
          />
        )}
      />
    </div>
  )
}
