import { useMutation } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import type { OwnModelPrice, StoredModelPrice } from '#schemas/own-model-prices.ts'
import { Dialog, FormActions } from '#web/ui/dialog.tsx'
import { editedValues } from '#web/ui/edited-values.ts'
import { FormSection } from '#web/ui/form-section.tsx'
import { Form } from '#web/ui/form.tsx'
import { codeInput } from '#web/ui/input.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useZodForm } from '#web/ui/use-zod-form.ts'
import { addPriceMutation, changePriceMutation } from './model-prices-queries.ts'
import { PriceTexts, textsOf } from './price-texts.ts'

/** `price`: the price to edit; `null` for a new one. */
type PriceDialogProps = { price: StoredModelPrice | null; open: boolean; onClose: () => void }

export const PriceDialog = ({ price, open, onClose }: PriceDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={price ? 'Edit Model Price' : 'Add Model Price'}
    description="Valid from now on: requests before keep their cost."
  >
    <PriceForm price={price} onDone={onClose} />
  </Dialog>
)

const prices = [
  { name: 'input', label: 'Input (USD)', hint: 'Per million tokens.' },
  { name: 'output', label: 'Output (USD)', hint: 'Per million tokens.' },
  {
    name: 'cachedInput',
    label: 'Cached Input (USD)',
    hint: 'Per million tokens. Empty: as other input.',
    optional: true,
  },
  { name: 'perRequest', label: 'Per Request (USD)', hint: 'On top of the tokens.', optional: true },
] as const

const cachesAndAudio = [
  { name: 'cacheWrite', label: 'Cache Writes (USD)', hint: 'Per million tokens. Empty: 1.25 times the input.' },
  { name: 'audioInput', label: 'Audio Input (USD)', hint: 'Per million tokens. Empty: as other input.' },
] as const

const longPrompts = [
  { name: 'longAboveTokens', label: 'Prompts Above', hint: 'Tokens, such as 200000.', inputMode: 'numeric' },
  { name: 'longInput', label: 'Long Input (USD)', hint: 'Per million tokens.', inputMode: 'decimal' },
  { name: 'longOutput', label: 'Long Output (USD)', hint: 'Per million tokens.', inputMode: 'decimal' },
] as const

type PriceFields = { form: UseFormReturn<PriceTexts, unknown, OwnModelPrice>; expanded: boolean }

const morePrices = [...cachesAndAudio, ...longPrompts].map(({ name }) => name)

const MorePrices = ({ form, expanded }: PriceFields) => (
  <FormSection title="More Prices" form={form} names={morePrices} expanded={expanded}>
    <div className="grid gap-4 sm:grid-cols-2">
      {cachesAndAudio.map((field) => (
        <TextField key={field.name} form={form} {...field} optional inputMode="decimal" {...codeInput} />
      ))}
    </div>
    <p className="text-xs text-muted">
      Where long prompts cost more, all tokens of such a request do, cached and written ones in proportion.
    </p>
    <div className="grid gap-4 sm:grid-cols-3">
      {longPrompts.map((field) => (
        <TextField key={field.name} form={form} {...field} {...codeInput} />
      ))}
    </div>
  </FormSection>
)

const hasMore = ({ cacheWrite, audioInput, longPrompts: long }: OwnModelPrice) =>
  cacheWrite !== null || audioInput !== null || long !== null

function PriceForm({ price, onDone }: { price: StoredModelPrice | null; onDone: () => void }) {
  const form = useZodForm(PriceTexts, { defaultValues: textsOf(price ?? undefined) })
  const add = useMutation(addPriceMutation)
  const change = useMutation(changePriceMutation)
  const isPending = add.isPending || change.isPending
  const { dirtyFields, isDirty } = form.formState

  async function save(values: OwnModelPrice) {
    const isLongEdited = longPrompts.some(({ name }) => dirtyFields[name])
    const changes = editedValues(values, { ...dirtyFields, ...(isLongEdited && { longPrompts: true }) })
    await (price ? change.mutateAsync({ price, changes }) : add.mutateAsync(values))
    onDone()
  }

  return (
    <Form form={form} pending={isPending} onSubmit={save} draft={{ name: `price ${price?.id ?? 'new'}` }}>
      <TextField
        form={form}
        name="pattern"
        label="Model"
        hint="A name, or a pattern such as mistral-*, in which * stands for any characters. A name wins over a pattern, a longer pattern over a shorter one."
        placeholder="mistral-*"
        {...codeInput}
        required
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {prices.map((field) => (
          <TextField
            key={field.name}
            form={form}
            {...field}
            inputMode="decimal"
            {...codeInput}
            required={!('optional' in field)}
          />
        ))}
      </div>
      <MorePrices form={form} expanded={price !== null && hasMore(price)} />
      <FormActions
        submitText={price ? 'Save Changes' : 'Add Price'}
        pendingText={isPending && (price ? 'Saving...' : 'Adding...')}
        disabled={price !== null && !isDirty}
        onCancel={onDone}
      />
    </Form>
  )
}
