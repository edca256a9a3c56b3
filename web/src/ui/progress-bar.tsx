import { Progress } from 'radix-ui'
import { classNames } from '#web/lib/text/class-names.ts'

type ProgressBarProps = { label: string; percent: number; tone: 'accent' | 'warn' | 'danger'; className: string }

const tones = { accent: 'bg-accent-fill', warn: 'bg-warn', danger: 'bg-danger' }

export const ProgressBar = ({ label, percent, tone, className }: ProgressBarProps) => (
  <Progress.Root
    value={percent}
    aria-label={label}
    className={classNames('overflow-hidden rounded-full bg-line forced-color-adjust-none', className)}
  >
    <Progress.Indicator className={classNames('h-full rounded-full', tones[tone])} style={{ width: `${percent}%` }} />
  </Progress.Root>
)
