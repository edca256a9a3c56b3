import type { ComponentProps, ReactNode } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { Field } from './field.tsx'
import { Input } from './input.tsx'

type TextFieldProps<Values extends FieldValues, Output> = Omit<ComponentProps<'input'>, 'form' | 'name'> & {
  form: UseFormReturn<Values, unknown, Output>
  name: FieldPath<Values>
  label: string
  optional?: boolean
  hint?: ReactNode
}

export function TextField<Values extends FieldValues, Output>(props: TextFieldProps<Values, Output>) {
  const { form, name, label, optional, hint, ...input } = props
  const { error } = form.getFieldState(name, form.formState)
  return (
    <Field label={label} optional={optional} hint={hint} error={error?.message}>
      {(control) => <Input {...control} {...form.register(name)} {...input} />}
    </Field>
  )
}

/** Texts and attributes of fields that several forms have. */
export const currentPassword = {
  label: 'Current Password',
  type: 'password',
  autoComplete: 'current-password',
} as const
export const newPassword = {
  label: 'New Password',
  hint: 'At least 8 characters.',
  type: 'password',
  autoComplete: 'new-password',
} as const
export const signInCode = {
  label: 'Code',
  hint: 'From your authenticator app, or a recovery code.',
  autoComplete: 'one-time-code',
  className: 'font-mono',
} as const
