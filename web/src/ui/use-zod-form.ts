import { zodResolver } from '@hookform/resolvers/zod'
import { type FieldValues, useForm, type UseFormProps } from 'react-hook-form'
import type { z } from 'zod'

type Options<Values extends FieldValues> = Pick<UseFormProps<Values>, 'defaultValues' | 'values' | 'resetOptions'>

/** A form's state, validated by a schema; shown by `Form`. */
export const useZodForm = <Values extends FieldValues, Output extends FieldValues>(
  schema: z.ZodType<Output, Values>,
  options: Options<Values>,
) =>
  useForm<Values, unknown, Output>({
    ...options,
    resolver: zodResolver(schema),
    // It would set the focus again a task later, when the user may already be typing. `Form` sets it once.
    shouldFocusError: false,
  })
