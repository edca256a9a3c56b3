import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'
import { controlStyle } from './input.tsx'

export type SelectProps<Value extends string> = Omit<ComponentProps<'select'>, 'onChange' | 'children' | 'value'> & {
  value: Value
  options: readonly { value: Value; label: string }[]
  onValueChange: (value: Value) => void
}

type Option = { value: string; label: string }

/** The options, with one more for a value that is none of them. */
export const withOption = (options: readonly Option[], value: string, label: string) =>
  options.some((option) => option.value === value) ? options : [...options, { value, label }]

/** The platform's own select, which works with every keyboard, touch screen and screen reader. */
export const Select = <Value extends string>(props: SelectProps<Value>) => {
  const { options, onValueChange, className, ...rest } = props
  return (
    <span className={classNames('relative inline-flex', className)}>
      <select
        {...rest}
        onChange={(event) => {
          const option = options[event.target.selectedIndex]
          if (option) onValueChange(option.value)
        }}
        className={classNames(controlStyle, 'h-11 appearance-none truncate pr-8 md:h-9')}
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
}
