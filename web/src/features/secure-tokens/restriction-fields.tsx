import { TextField } from '#web/ui/text-field.tsx'
import type { TokenForm } from './token-texts.ts'

/** What the token may do; everything left empty restricts nothing. */
export function RestrictionFields({ form, open }: { form: TokenForm; open: boolean }) {
  return (
    <details open={open} className="rounded-control border border-raised-line px-3 py-2">
      <summary className="py-1 font-medium">Restrictions</summary>
      <div className="flex flex-col gap-4 pt-3 pb-1">
        <TextField
          form={form}
          name="models"
          label="Models"
          optional
          hint="Names with commas between them. Empty: every model."
          placeholder="gpt-4o, gpt-4o-mini"
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
        />
        <TextField
          form={form}
          name="monthlyBudgetUsd"
          label="Monthly Budget (USD)"
          optional
          hint="A calendar month (UTC). Empty: no limit."
          type="number"
          min={0}
          step="any"
          className="font-mono sm:max-w-40"
        />
        <TextField
          form={form}
          name="allowedAddresses"
          label="Allowed Addresses"
          optional
          hint="IP addresses or CIDR ranges. Empty: from everywhere."
          placeholder="203.0.113.7, 10.0.0.0/8"
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
        />
      </div>
    </details>
  )
}
