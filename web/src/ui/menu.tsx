import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'
import { useLayer } from './use-layer.ts'

type MenuProps = {
  trigger: ReactNode
  label: string
  className?: string
  /** For a menu that is not opened by its button. */
  isOpenAtFirst?: boolean
  onClose?: () => void
  children: ReactNode
}

/** A menu opened by the button `trigger`. Not in a portal, where it would be outside of every landmark. */
export function Menu({ trigger, label, className = 'w-80', isOpenAtFirst = false, onClose, children }: MenuProps) {
  const [open, setOpen] = useState(isOpenAtFirst)
  function change(next: boolean) {
    setOpen(next)
    if (!next) onClose?.()
  }
  useLayer(open, () => change(false))
  return (
    <DropdownMenu.Root modal={false} open={open} onOpenChange={change}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={6}
        collisionPadding={8}
        aria-label={label}
        className={classNames(
          'z-40 max-h-96 max-w-[calc(100vw-1rem)] animate-fade-in overflow-y-auto rounded-panel border border-raised-line bg-raised p-1 shadow-xl',
          className,
        )}
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

const itemStyle = classNames(
  'relative flex min-h-11 cursor-pointer items-center gap-2 rounded-control px-2 outline-none md:min-h-8',
  'data-disabled:cursor-default data-disabled:text-muted data-highlighted:bg-subtle dark:data-highlighted:bg-zinc-700',
)

export const MenuItem = ({ className, ...rest }: ComponentProps<typeof DropdownMenu.Item>) => (
  <DropdownMenu.Item className={classNames(itemStyle, className)} {...rest} />
)

type MenuCheckProps = { checked: boolean; onCheckedChange: (checked: boolean) => void; children: ReactNode }

/** An item to switch on and off; the menu stays open for the next one. */
export const MenuCheck = ({ checked, onCheckedChange, children }: MenuCheckProps) => (
  <DropdownMenu.CheckboxItem
    checked={checked}
    onCheckedChange={onCheckedChange}
    onSelect={(event) => event.preventDefault()}
    className={classNames(itemStyle, 'pl-8')}
  >
    <DropdownMenu.ItemIndicator className="absolute left-2 text-accent">
      <Check aria-hidden="true" className="size-4" />
    </DropdownMenu.ItemIndicator>
    {children}
  </DropdownMenu.CheckboxItem>
)

export const MenuHeading = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="px-2 pt-2 pb-1 text-xs font-medium text-muted">{children}</DropdownMenu.Label>
)

export const MenuSeparator = () => <DropdownMenu.Separator className="my-1 h-px bg-raised-line" />
