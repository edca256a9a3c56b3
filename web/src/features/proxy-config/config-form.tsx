import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type FieldErrors } from 'react-hook-form'
import type { ProxyConfig } from '#schemas/proxy-config.ts'
import { problemOf } from '#web/lib/api.ts'
import { proxyConfigQuery } from '#web/lib/queries/proxy-config.ts'
import { toast } from '#web/lib/toast.ts'
import { useUnsavedEdits } from '#web/lib/unsaved-edits.ts'
import { editedValues } from '#web/ui/edited-values.ts'
import { Form } from '#web/ui/form.tsx'
import { useItemDialog } from '#web/ui/use-item-dialog.ts'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { ConfigHeader } from './config-header.tsx'
import { ConfigSummary } from './config-summary.tsx'
import { type ConfigChanges, ConfigValues, saveConfigMutation } from './config-values.ts'
import { ConfirmOriginDialog } from './confirm-origin-dialog.tsx'
import { PrivacySection, RateLimitSection, ServerSection } from './config-sections.tsx'

function reportInvalid(errors: FieldErrors<ConfigValues>) {
  const message = Object.values(errors).find((error) => error.message)?.message
  toast({ title: 'Validation Error', ...(message && { description: message }), destructive: true })
}

/** `config`: the server's values, to which Reset returns. */
export function ConfigForm({ config }: { config: ProxyConfig }) {
  const client = useQueryClient()
  const form = useZodForm(ConfigValues, { defaultValues: config })
  const { dirtyFields } = form.formState
  const { mutateAsync, isPending } = useMutation(saveConfigMutation)
  const [edited, setEdited] = useState(false)
  useUnsavedEdits(edited)
  const confirmation = useItemDialog<ConfigChanges>()

  // Every edit counts, even one that is undone.
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ type }) => type === 'change' && setEdited(true) }),
    [form],
  )

  function reset() {
    form.reset(client.getQueryData(proxyConfigQuery.queryKey) ?? config)
    setEdited(false)
  }

  async function save(values: ConfigValues) {
    const changes = editedValues(values, dirtyFields)
    try {
      await mutateAsync(changes)
      reset()
    } catch (error) {
      if (problemOf(error)?.code !== 'confirm_origin') throw error
      confirmation.show(changes)
    }
  }

  return (
    <>
      <Form
        form={form}
        pending={isPending}
        onSubmit={save}
        onInvalid={reportInvalid}
        draft={{ name: 'proxy-config', onRestored: () => setEdited(true) }}
        className="flex flex-col gap-6"
      >
        <ConfigHeader edited={edited} saving={isPending} onReset={reset} />
        <div className="grid items-start gap-6 lg:grid-cols-3">
          <div className="flex min-w-0 flex-col gap-6 lg:col-span-2">
            <ServerSection form={form} />
            <RateLimitSection form={form} />
            <PrivacySection form={form} />
          </div>
          <div className="min-w-0 lg:sticky lg:top-8">
            <ConfigSummary control={form.control} />
          </div>
        </div>
      </Form>
      {confirmation.item && (
        <ConfirmOriginDialog
          changes={confirmation.item}
          open={confirmation.open}
          onClose={confirmation.close}
          onSaved={() => {
            confirmation.close()
            reset()
          }}
        />
      )}
    </>
  )
}
