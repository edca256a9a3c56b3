import { measureLabels, measureUnits } from '#schemas/alert-texts.ts'
import { AlertMeasure } from '#schemas/alerts.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { codeInput } from '#web/ui/input.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { usualThresholds } from './alert-settings.ts'
import type { AlertUseForm } from './alert-texts.ts'

const measures = AlertMeasure.options.map((value) => ({ value, label: measureLabels[value] }))
const comparisons = [
  { value: 'over', label: 'is over' },
  { value: 'under', label: 'is under' },
] as const

/** A threshold that was not edited becomes the new measure's default. */
function followMeasure(form: AlertUseForm, next: AlertMeasure) {
  const { measure, threshold } = form.getValues()
  if (threshold !== String(usualThresholds[measure])) return
  form.setValue('threshold', String(usualThresholds[next]), { shouldDirty: true })
}

export const ConditionFields = ({ form, measure }: { form: AlertUseForm; measure: AlertMeasure }) => (
  <div className="grid gap-4 sm:grid-cols-2 md:grid-cols-4">
    <SelectField
      form={form}
      name="measure"
      label="When"
      options={measures}
      onPick={(next) => followMeasure(form, next)}
    />
    <SelectField form={form} name="comparison" label="Comparison" options={comparisons} />
    <TextField
      form={form}
      name="threshold"
      label={`Threshold ${measureUnits[measure] && `(${measureUnits[measure]})`}`.trim()}
      inputMode="decimal"
      {...codeInput}
      required
    />
    {measure !== 'budget' && (
      <TextField
        form={form}
        name="windowMinutes"
        label="Within (minutes)"
        inputMode="numeric"
        {...codeInput}
        required
      />
    )}
  </div>
)
