import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type EmptyStateProps = { icon: LucideIcon; title: string; children: ReactNode; action?: ReactNode }

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-10 text-center">
      <span className="mb-3 grid size-10 place-items-center rounded-full border border-line text-muted">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <p className="font-medium">{title}</p>
      <p className="mt-1 max-w-sm text-balance text-muted">{children}</p>
      {action && <div className="mt-4">{action}</div>}
    </div>
  )
}
