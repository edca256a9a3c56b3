import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle } from './input.tsx'

type SelectProps = Omit<ComponentProps<'select'>, 'onChange' | 'children'> & {
  options: readonly { value: string; label: string }[]
  onValueChange: (value: string) => void
}

/** The platform's own select, which every keyboard, thumb and screen reader knows. */
export const Select = ({ options, onValueChange, className, ...rest }: SelectProps) => (
  <span className={classNames('relative inline-flex', className)}>
    <select
      {...rest}
      onChange={(event) => onValueChange(event.target.value)}
      className={classNames(controlStyle, 'h-11 appearance-none pr-8 md:h-9')}
    >
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
    <ChevronDown
      aria-hidden="true"
      className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted"
    />
  </span>
)
