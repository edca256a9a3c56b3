import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '#web/lib/class-names.ts'

type MenuProps = { trigger: ReactNode; label: string; children: ReactNode }

/** A button's menu. `trigger` is that button. Not in a portal: there it would lie outside of every landmark. */
export const Menu = ({ trigger, label, children }: MenuProps) => (
  <Radix.Root modal={false}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Content
      align="end"
      sideOffset={6}
      collisionPadding={8}
      aria-label={label}
      className="z-40 max-h-96 w-80 max-w-[calc(100vw-1rem)] animate-fade-in overflow-y-auto rounded-panel border border-raised-line bg-raised p-1 shadow-xl"
    >
      {children}
    </Radix.Content>
  </Radix.Root>
)

export const MenuItem = ({ className, ...rest }: ComponentProps<typeof Radix.Item>) => (
  <Radix.Item
    className={classNames(
      'flex min-h-11 cursor-pointer items-center gap-2 rounded-control px-2 outline-none md:min-h-8',
      'data-disabled:cursor-default data-disabled:text-muted data-highlighted:bg-subtle',
      className,
    )}
    {...rest}
  />
)

export const MenuSeparator = () => <Radix.Separator className="my-1 h-px bg-line" />
