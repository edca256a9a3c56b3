import { type ReactNode, useState } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'

type FormSectionProps<Values extends FieldValues, Output> = {
  form: UseFormReturn<Values, unknown, Output>
  title: string
  /** The fields in it. */
  names: readonly FieldPath<Values>[]
  expanded: boolean
  children: ReactNode
}

/** Fields that most people leave empty. Opens by itself when one of them has an error. */
export function FormSection<Values extends FieldValues, Output>(props: FormSectionProps<Values, Output>) {
  const { form, title, names, expanded, children } = props
  const [isOpen, setIsOpen] = useState(expanded)
  const invalid = names.some((name) => form.getFieldState(name, form.formState).invalid)
  return (
    <details
      open={isOpen || invalid}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
      className="rounded-control border border-raised-line px-3 py-2"
    >
      <summary className="py-1 font-medium">{title}</summary>
      <div className="flex flex-col gap-4 pt-3 pb-1">{children}</div>
    </details>
  )
}
