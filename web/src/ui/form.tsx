import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react'
import {
  type FieldPath,
  type FieldValues,
  type SubmitErrorHandler,
  useFormState,
  type UseFormReturn,
} from 'react-hook-form'
import type { ProblemCode } from '#schemas/problems.ts'
import { problemOf } from '#web/lib/api.ts'
import { offerDraft, takeDraft } from '#web/lib/session/form-drafts.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { useDialogForm } from './dialog-form.ts'

type FormProps<Values extends FieldValues, Output> = {
  form: UseFormReturn<Values, unknown, Output>
  /** Resolves when the call has succeeded; a rejection is shown at the fields that its problem names. */
  onSubmit: (values: Output) => Promise<unknown>
  onInvalid?: SubmitErrorHandler<Values>
  /** The fields that show problems which name no field. */
  problemFields?: { [Code in ProblemCode]?: FieldPath<Values> }
  /** Disables every control while the call is under way. */
  pending: boolean
  /** Keeps the typed values when the session expires; `secrets` are never kept. */
  draft?: { name: string; secrets?: readonly FieldPath<Values>[]; onRestored?: () => void }
  /** By default, the fields form a column. */
  className?: string
  children: ReactNode
}

export function Form<Values extends FieldValues, Output>(props: FormProps<Values, Output>) {
  const { form, onSubmit, onInvalid, problemFields = {}, pending, draft, children } = props
  const { className = 'flex flex-col gap-4' } = props
  // A second submit can come before React has disabled the button.
  const busy = useRef(false)
  const formRef = useRef<HTMLFormElement>(null)
  const { dirtyFields, isDirty, submitCount } = useFormState({ control: form.control })
  useFirstInvalidFocused(formRef, submitCount)
  useFocusKept(formRef, pending)
  useDialogForm(pending, isDirty)
  useDraft(form, draft, isDirty, dirtyFields)

  async function submit(event: FormEvent) {
    event.preventDefault()
    // A dialog that fades out after a success still takes a second Enter.
    if (busy.current || formRef.current?.closest('[role=dialog][data-state=closed]')) return
    busy.current = true
    try {
      await form.handleSubmit((values) => onSubmit(values), onInvalid)(event)
    } catch (error) {
      const problem = problemOf(error)
      if (!problem) return
      const problemField = problem.code && problemFields[problem.code]
      if (problemField) form.setError(problemField, { message: problem.detail })
      for (const { field, message } of problem.errors ?? []) {
        if (isFieldOf(form, field)) form.setError(field, { message })
      }
    } finally {
      busy.current = false
    }
  }

  return (
    <form ref={formRef} noValidate onSubmit={(event) => void submit(event)}>
      {/* By itself, a fieldset is never narrower than a chart in it was drawn. */}
      <fieldset disabled={pending} className={classNames('min-w-0', className)}>
        {children}
      </fieldset>
    </form>
  )
}

function useDraft<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  draft: FormProps<Values, Output>['draft'],
  isDirty: boolean,
  dirtyFields: object,
) {
  const name = draft?.name

  const restore = useEffectEvent((of: string) => {
    const typed = takeDraft(of)
    if (!typed) return
    form.reset({ ...form.getValues(), ...typed }, { keepDefaultValues: true })
    draft?.onRestored?.()
  })

  /** Only edited fields: others may have changed elsewhere before the next sign-in. */
  const read = useEffectEvent(() => {
    const secrets: readonly string[] = draft?.secrets ?? []
    const isKept = (field: string) => field in dirtyFields && !secrets.includes(field)
    return Object.fromEntries(Object.entries(form.getValues()).filter(([field]) => isKept(field)))
  })

  useEffect(() => {
    if (name !== undefined) restore(name)
  }, [name])

  useEffect(() => {
    if (name !== undefined && isDirty) return offerDraft(name, () => read())
  }, [name, isDirty])
}

const isFieldOf = <Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'getValues'>,
  name: string,
): name is FieldPath<Values> => name in form.getValues()

function useFirstInvalidFocused(form: RefObject<HTMLFormElement | null>, submitCount: number) {
  useLayoutEffect(() => {
    if (submitCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [form, submitCount])
}

/**
 * Disabled controls lose focus, to the page or to the dialog around the form: returns it to the first invalid field,
 * else to the submit button, else to the page.
 */
function useFocusKept(form: RefObject<HTMLFormElement | null>, pending: boolean) {
  const wasPending = useRef(false)
  useEffect(() => {
    if (wasPending.current && !pending && document.activeElement?.contains(form.current)) {
      const target = form.current?.querySelector<HTMLElement>('[aria-invalid=true], [type=submit]:not(:disabled)')
      ;(target ?? document.getElementById('main'))?.focus()
    }
    wasPending.current = pending
  }, [form, pending])
}
