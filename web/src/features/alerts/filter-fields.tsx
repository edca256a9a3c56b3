import { Controller } from 'react-hook-form'
import { describeFilters } from '#schemas/alert-texts.ts'
import type { AlertMeasure } from '#schemas/alerts.ts'
import { TokenSelect } from '#web/lib/tokens/token-select.tsx'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { codeInput } from '#web/ui/input.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { withOption } from '#web/ui/select.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { AlertTexts, AlertUseForm } from './alert-texts.ts'

const statuses = [
  { value: 'all', label: 'All requests' },
  { value: 'failed', label: 'Errors only' },
  { value: 'success', label: 'Successes only' },
]

const groups = [
  { value: 'none', label: 'All together' },
  { value: 'model', label: 'Each model' },
  { value: 'endpoint', label: 'Each endpoint' },
  { value: 'token', label: 'Each token' },
  { value: 'key', label: 'Each API key' },
  { value: 'tag', label: 'Each value of a tag' },
] as const

const texts = [
  { name: 'model', label: 'Models', placeholder: 'gpt-4o, gpt-4o-mini' },
  { name: 'endpoint', label: 'Endpoints', placeholder: '/v1/chat/completions' },
  { name: 'tag', label: 'Tags', placeholder: 'customer:acme' },
] as const

type FilterFieldsProps = {
  form: AlertUseForm
  measure: AlertMeasure
  group: AlertTexts['group']
  others: AlertTexts['others']
}

/** Which requests count, and how they are grouped. A budget can only be filtered by token. */
export function FilterFields({ form, measure, group, others }: FilterFieldsProps) {
  if (measure === 'budget') return <TokenField form={form} />
  const shown = describeFilters(others)
  const status = form.getValues('status')
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {/* A link may carry another status, such as 429. */}
        <SelectField
          form={form}
          name="status"
          label="Requests"
          options={withOption(statuses, status, `Status ${status}`)}
        />
        <TokenField form={form} />
        {texts.map((field) => (
          <TextField key={field.name} form={form} {...field} optional {...codeInput} />
        ))}
        <SelectField form={form} name="group" label="Evaluate" options={groups} />
        {group === 'tag' && (
          <TextField form={form} name="groupTag" label="Tag" placeholder="customer" autoComplete="off" required />
        )}
      </div>
      {shown.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-control border border-raised-line px-3 py-2">
          <p className="min-w-0 break-words text-muted">Also filtered by {visibleLine(shown.join(', '))}.</p>
          <Button
            size="sm"
            onClick={() => {
              // The pressed button disappears.
              form.setFocus('tag')
              form.setValue('others', {}, { shouldDirty: true })
            }}
          >
            Remove
          </Button>
        </div>
      )}
    </>
  )
}

const TokenField = ({ form }: Pick<FilterFieldsProps, 'form'>) => (
  <Controller
    control={form.control}
    name="token"
    render={({ field, fieldState }) => (
      <Field label="Token" error={fieldState.error?.message}>
        {(control) => (
          <TokenSelect
            {...control}
            value={field.value}
            onValueChange={field.onChange}
            unknown="As in the link"
            first={[{ value: '', label: 'All tokens' }]}
          />
        )}
      </Field>
    )}
  />
)
