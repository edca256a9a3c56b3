import type { ReactNode } from 'react'
import { toast } from '#web/lib/toast.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { RestrictionFields } from './restriction-fields.tsx'
import type { TokenForm } from './token-texts.ts'

type TokenFieldsProps = {
  form: TokenForm
  /** Whether the restrictions are in sight from the start. */
  showRestrictions: boolean
  /** What stands between the name and the restrictions. */
  children?: ReactNode
}

/** What is asked of a new token and of one that is changed. */
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
