import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'
import { useLayer } from './use-layer.ts'

type PopoverProps = {
  trigger: ReactNode
  label: string
  open: boolean
  onOpenChange: (open: boolean) => void
  className?: string
  children: ReactNode
}

/** Controls beside their trigger, without leaving the page. Like a menu, not in a portal. */
export function Popover({ trigger, label, open, onOpenChange, className, children }: PopoverProps) {
  useLayer(open, () => onOpenChange(false))
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Content
        aria-label={label}
        align="end"
        sideOffset={6}
        collisionPadding={8}
        className={classNames(
          'z-40 max-h-(--radix-popover-content-available-height) animate-fade-in overflow-y-auto rounded-panel',
          'border border-raised-line bg-raised p-4 shadow-xl outline-none',
          className,
        )}
      >
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}
