import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import type { TokenForm } from './token-texts.ts'

/** What the token may do; everything left empty restricts nothing. */
export function RestrictionFields({ form, open }: { form: TokenForm; open: boolean }) {
  const { errors } = form.formState
  return (
    <details open={open} className="rounded-control border border-raised-line px-3 py-2">
      <summary className="py-1 font-medium">Restrictions</summary>
      <div className="flex flex-col gap-4 pt-3 pb-1">
        <Field
          label="Models"
          optional
          hint="Names with commas between them. Empty: every model."
          error={errors.models?.message}
        >
          {(control) => (
            <Input
              {...control}
              {...form.register('models')}
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
              {...form.register('monthlyBudgetUsd')}
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
          error={errors.allowedAddresses?.message}
        >
          {(control) => (
            <Input
              {...control}
              {...form.register('allowedAddresses')}
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
