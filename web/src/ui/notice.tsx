import { Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'

type NoticeProps = { tone?: 'info' | 'warn'; title?: string; children: ReactNode }

export function Notice({ tone = 'info', title, children }: NoticeProps) {
  const Icon = tone === 'warn' ? TriangleAlert : Info
  return (
    <div
      role="note"
      className={classNames(
        'flex gap-3 rounded-panel px-4 py-3',
        tone === 'warn' ? 'bg-warn-soft' : 'border border-line bg-surface',
      )}
    >
      <Icon
        aria-hidden="true"
        className={classNames('mt-0.5 size-4 shrink-0', tone === 'warn' ? 'text-warn' : 'text-accent')}
      />
      <div className="min-w-0">
        {title && <p className="font-medium">{title}</p>}
        <div className={tone === 'warn' ? 'text-fg' : 'text-muted'}>{children}</div>
      </div>
    </div>
  )
}
