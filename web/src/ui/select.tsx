import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { floatingItemStyle, floatingStyle } from './floating-style.ts'

export type SelectOption<Value extends string> = { value: Value; label: ReactNode }

type SelectProps<Value extends string> = {
  value: Value
  onValueChange: (value: Value) => void
  options: readonly SelectOption<Value>[]
  disabled?: boolean
  className?: string
  id?: string
  'aria-label'?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

/** One of a few values. An option's value must not be empty. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, onValueChange, options, disabled, className, ...aria } = props
  return (
    <Radix.Root
      value={value}
      disabled={disabled ?? false}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next)
        if (option) onValueChange(option.value)
      }}
    >
      <Radix.Trigger
        {...aria}
        className={classNames(
          'inline-flex h-11 items-center justify-between gap-2 rounded-control border border-control bg-surface px-3 text-left',
          'focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 md:h-9',
          'disabled:cursor-not-allowed disabled:opacity-60 [&>span]:truncate',
          className,
        )}
      >
        <Radix.Value />
        <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className={classNames(
            floatingStyle,
            'max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden',
          )}
        >
          <Radix.Viewport className="p-1">
            {options.map((option) => (
              <Radix.Item key={option.value} value={option.value} className={classNames(floatingItemStyle, 'pr-8')}>
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator className="absolute right-2 text-accent">
                  <Check aria-hidden="true" />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
