import type { FieldError, Merge, UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import type { CreateSecureToken } from '#schemas/secure-tokens.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'

type TokenForm = UseFormReturn<z.input<typeof CreateSecureToken>, unknown, CreateSecureToken>

const splitList = (text: string) => {
  const entries = text.split(/[\s,]+/).filter(Boolean)
  return entries.length > 0 ? entries : undefined
}

/** The message of a list, or of the first of its entries that is refused. */
const listMessage = (error: Merge<FieldError, (FieldError | undefined)[]> | undefined) =>
  error?.message ?? error?.find?.((entry) => entry?.message)?.message

/** What the new token may do; everything left empty restricts nothing. */
export function RestrictionFields({ form }: { form: TokenForm }) {
  const { errors } = form.formState
  return (
    <details className="rounded-control border border-line px-3 py-2">
      <summary className="py-1 font-medium">Restrictions</summary>
      <div className="flex flex-col gap-4 pt-3 pb-1">
        <Field
          label="Models"
          optional
          hint="Names with commas between them. Empty: every model."
          error={listMessage(errors.models)}
        >
          {(control) => (
            <Input
              {...control}
              {...form.register('models', { setValueAs: splitList })}
              placeholder="gpt-4o, gpt-4o-mini"
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
            />
          )}
        </Field>
        <Field
          label="Monthly Budget (USD)"
          optional
          hint="A calendar month (UTC). Empty: no limit."
          error={errors.monthlyBudgetUsd?.message}
        >
          {(control) => (
            <Input
              {...control}
              {...form.register('monthlyBudgetUsd', {
                setValueAs: (text: string) => (text === '' ? undefined : Number(text)),
              })}
              type="number"
              min={0}
              step="any"
              className="font-mono sm:max-w-40"
            />
          )}
        </Field>
        <Field
          label="Allowed Addresses"
          optional
          hint="IP addresses or CIDR ranges. Empty: from everywhere."
          error={listMessage(errors.allowedAddresses)}
        >
          {(control) => (
            <Input
              {...control}
              {...form.register('allowedAddresses', { setValueAs: splitList })}
              placeholder="203.0.113.7, 10.0.0.0/8"
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
            />
          )}
        </Field>
      </div>
    </details>
  )
}
