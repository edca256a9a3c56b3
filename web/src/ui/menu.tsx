import { Check } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { floatingItemStyle, floatingStyle } from './floating-style.ts'

type MenuProps = { trigger: ReactNode; align?: 'start' | 'end'; children: ReactNode }

/** Actions behind a button. */
export const Menu = ({ trigger, align = 'end', children }: MenuProps) => (
  <Radix.Root modal={false}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        align={align}
        sideOffset={4}
        collisionPadding={8}
        className={classNames(
          floatingStyle,
          'max-h-(--radix-dropdown-menu-content-available-height) max-w-80 min-w-44 overflow-y-auto p-1',
        )}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

export const MenuItem = ({ className, ...rest }: ComponentProps<typeof Radix.Item>) => (
  <Radix.Item className={classNames(floatingItemStyle, className)} {...rest} />
)

type MenuCheckProps = { checked: boolean; onCheckedChange: (checked: boolean) => void; children: ReactNode }

/** Can be switched on and off; the menu stays open for the next one. */
export const MenuCheck = ({ checked, onCheckedChange, children }: MenuCheckProps) => (
  <Radix.CheckboxItem
    checked={checked}
    onCheckedChange={onCheckedChange}
    onSelect={(event) => event.preventDefault()}
    className={classNames(floatingItemStyle, 'pl-8')}
  >
    <Radix.ItemIndicator className="absolute left-2 text-accent">
      <Check aria-hidden="true" />
    </Radix.ItemIndicator>
    {children}
  </Radix.CheckboxItem>
)

export const MenuHeading = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="px-2 pt-2 pb-1 text-xs font-medium text-muted">{children}</Radix.Label>
)

export const MenuSeparator = () => <Radix.Separator className="-mx-1 my-1 h-px bg-raised-line" />
