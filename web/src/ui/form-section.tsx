import { type ReactNode, useState } from 'react'

type FormSectionProps = { title: string; expanded: boolean; invalid: boolean; children: ReactNode }

/** Fields that most people leave empty. Opens by itself when one of them has an error. */
export function FormSection({ title, expanded, invalid, children }: FormSectionProps) {
  const [isOpen, setIsOpen] = useState(expanded)
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
