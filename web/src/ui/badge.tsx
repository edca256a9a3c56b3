import type { ReactNode } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'

const tones = {
  neutral: 'border-line bg-surface text-fg',
  accent: 'border-transparent bg-accent-soft text-accent',
  ok: 'border-transparent bg-ok-soft text-ok',
  info: 'border-transparent bg-info-soft text-info',
  warn: 'border-transparent bg-warn-soft text-warn',
  danger: 'border-transparent bg-danger-soft text-danger',
}

export type Tone = keyof typeof tones

type BadgeProps = { tone?: Tone; dot?: boolean; className?: string; children: ReactNode }

export function Badge({ tone = 'neutral', dot = false, className, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 shrink-0 items-center gap-1.5 rounded-full border px-2 text-xs font-medium whitespace-nowrap',
        tones[tone],
        className,
      )}
    >
      {dot && <span aria-hidden="true" className="size-1.5 rounded-full bg-current forced-color-adjust-none" />}
      {children}
    </span>
  )
}
