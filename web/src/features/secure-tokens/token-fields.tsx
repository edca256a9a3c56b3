import type { ReactNode } from 'react'
import { toast } from '#web/lib/toast.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
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
    <Field label="Token Name" error={form.formState.errors.name?.message}>
      {(control) => (
        <Input {...control} {...form.register('name')} placeholder="Backend, staging" autoComplete="off" required />
      )}
    </Field>
    {children}
    <RestrictionFields form={form} open={showRestrictions} />
  </>
)

/** Source: specification §5, "Create token". */
export function reportMissingName(form: TokenForm) {
  if (form.getValues('name').trim() !== '') return
  toast({ title: 'Name required', description: 'Please enter a name for your secure token', destructive: true })
}
