import type { ReactNode } from 'react'
import { toast } from '#web/lib/toast.ts'
import { FormSection } from '#web/ui/form-section.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { codeInput } from '#web/ui/input.tsx'
import type { TokenForm } from './token-texts.ts'

type TokenFieldsProps = {
  form: TokenForm
  /** Whether restrictions and limits are expanded at first. */
  expanded: boolean
  /** Shown between the name and the restrictions. */
  children?: ReactNode
}

/** The fields of a new token and of an edited one. */
export const TokenFields = ({ form, expanded, children }: TokenFieldsProps) => (
  <>
    <TextField form={form} name="name" label="Token Name" placeholder="Backend, staging" autoComplete="off" required />
    {children}
    <RestrictionFields form={form} expanded={expanded} />
    <LimitFields form={form} expanded={expanded} />
    <TagField form={form} expanded={expanded} />
  </>
)

/** Source: product.md 4.2. */
export function reportMissingName(form: TokenForm) {
  if (form.getValues('name').trim() !== '') return
  toast({ title: 'Name required', description: 'Please enter a name for your secure token', destructive: true })
}

type SectionProps = Pick<TokenFieldsProps, 'form' | 'expanded'>

/** An empty field restricts nothing. */
const RestrictionFields = ({ form, expanded }: SectionProps) => (
  <FormSection title="Restrictions" form={form} names={['models', 'allowedAddresses']} expanded={expanded}>
    <TextField
      form={form}
      name="models"
      label="Models"
      optional
      hint="Names with commas between them. Empty: every model."
      placeholder="gpt-4o, gpt-4o-mini"
      {...codeInput}
    />
    <TextField
      form={form}
      name="allowedAddresses"
      label="Allowed Addresses"
      optional
      hint="IP addresses or CIDR ranges. Empty: from everywhere."
      placeholder="203.0.113.7, 10.0.0.0/8"
      {...codeInput}
    />
  </FormSection>
)

const limits = [
  { name: 'requestsPerMinute', label: 'Requests per Minute', inputMode: 'numeric' },
  { name: 'tokensPerMinute', label: 'Tokens per Minute', inputMode: 'numeric' },
  { name: 'maxConcurrentRequests', label: 'Requests at Once', inputMode: 'numeric' },
  { name: 'dailyBudgetUsd', label: 'Daily Budget (USD)', inputMode: 'decimal' },
  { name: 'monthlyBudgetUsd', label: 'Monthly Budget (USD)', inputMode: 'decimal' },
] as const

/** Texts rather than number inputs, which report a number that they can't represent as an empty field. */
const LimitFields = ({ form, expanded }: SectionProps) => (
  <FormSection title="Limits" form={form} names={limits.map(({ name }) => name)} expanded={expanded}>
    <p className="text-xs text-muted">An empty field is no limit. Days and months are of UTC.</p>
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      {limits.map((field) => (
        <TextField key={field.name} form={form} {...field} optional {...codeInput} />
      ))}
    </div>
  </FormSection>
)

const TagField = ({ form, expanded }: SectionProps) => (
  <FormSection title="Tags" form={form} names={['tags']} expanded={expanded}>
    <TextField
      form={form}
      name="tags"
      label="Fixed Tags"
      optional
      hint="Logged with each request of this token, before those of the header x-sallyport-metadata. A comma in a value is \,"
      placeholder="customer=acme, feature=search"
      {...codeInput}
    />
  </FormSection>
)
