import type { ReactNode } from 'react'
import { product } from '#schemas/product.ts'

type PageHeaderProps = { title: string; description: string; badge?: ReactNode; action?: ReactNode }

/** A screen's only first-level heading; names the document too. */
export function PageHeader({ title, description, badge, action }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <title>{`${title} · ${product.name}`}</title>
      <div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {badge}
        </div>
        <p className="text-muted">{description}</p>
      </div>
      {action}
    </header>
  )
}
