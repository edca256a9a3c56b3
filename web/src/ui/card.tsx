import type { ReactNode } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'

type CardProps = {
  title: string
  description?: ReactNode
  action?: ReactNode
  className?: string | undefined
  children: ReactNode
}

/** A titled group. Its children bring their own padding, so that lists can run to the edges. */
export function Card({ title, description, action, className, children }: CardProps) {
  return (
    <section className={classNames('overflow-hidden rounded-panel border border-line bg-surface', className)}>
      <header className="flex min-h-13 items-center justify-between gap-3 border-b border-line px-4 py-2">
        <div className="min-w-0">
          <h2 className="font-semibold">{title}</h2>
          {description && <p className="text-xs text-muted">{description}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  )
}
