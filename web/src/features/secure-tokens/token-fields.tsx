import type { ReactNode } from 'react'
import { toast } from '#web/lib/toast.ts'
import { TextField } from '#web/ui/text-field.tsx'
import type { TokenForm } from './token-texts.ts'

type TokenFieldsProps = {
  form: TokenForm
  /** Whether the restrictions are expanded at first. */
  showRestrictions: boolean
  /** Shown between the name and the restrictions. */
  children?: ReactNode
}

/** The fields of a new token and of an edited one. */
export const TokenFields = ({ form, showRestrictions, children }: TokenFieldsProps) => (
  <>
    <TextField form={form} name="name" label="Token Name" placeholder="Backend, staging" autoComplete="off" required />
    {children}
    <RestrictionFields form={form} open={showRestrictions} />
  </>
)

/** Source: product.md 4.2. */
export function reportMissingName(form: TokenForm) {
  if (form.getValues('name').trim() !== '') return
  toast({ title: 'Name required', description: 'Please enter a name for your secure token', destructive: true })
}

/** The token's restrictions; an empty field restricts nothing. */
function RestrictionFields({ form, open }: { form: TokenForm; open: boolean }) {
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
