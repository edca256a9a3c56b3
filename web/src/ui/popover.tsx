import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { floatingStyle } from './floating-style.ts'

type PopoverProps = {
  trigger: ReactNode
  label: string
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
  children: ReactNode
}

/** Controls beside their trigger, without leaving the page. */
export const Popover = ({ trigger, label, className, children, ...state }: PopoverProps) => (
  <Radix.Root {...state}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        aria-label={label}
        align="end"
        sideOffset={4}
        collisionPadding={8}
        className={classNames(
          floatingStyle,
          'max-h-(--radix-popover-content-available-height) overflow-y-auto p-4',
          className,
        )}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)
