import { type ReactNode, useId } from 'react'

type ControlProps = { id: string; 'aria-invalid': boolean; 'aria-describedby': string }

type FieldProps = {
  label: string
  optional?: boolean
  hint?: ReactNode
  error?: string | undefined
  children: (control: ControlProps) => ReactNode
}

/** A labelled control; its hint and its error are read out with it. */
export function Field({ label, optional = false, hint, error, children }: FieldProps) {
  const id = useId()
  const control = { id, 'aria-invalid': error !== undefined, 'aria-describedby': `${id}-hint ${id}-error` }
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {optional && <span className="text-xs text-muted">Optional</span>}
      </div>
      {children(control)}
      <div id={`${id}-hint`} className="text-xs text-muted empty:hidden">
        {hint}
      </div>
      <div id={`${id}-error`} aria-live="polite" className="text-xs text-danger empty:hidden">
        {error}
      </div>
    </div>
  )
}
