import { Tabs as Radix } from 'radix-ui'
import type { ComponentProps, FocusEvent } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'

export const Tabs = Radix.Root

export const TabList = ({ className, ...rest }: ComponentProps<typeof Radix.List>) => (
  <Radix.List
    className={classNames('flex gap-1 overflow-x-auto overflow-y-hidden border-b border-line', className)}
    {...rest}
  />
)

/** Focus returning from a dialog selects no tab: the dialog may have asked whether to leave for that tab. */
const selectOnlyFromList = (event: FocusEvent<HTMLElement>) => {
  if (!event.currentTarget.parentElement?.contains(event.relatedTarget)) event.preventDefault()
}

export const Tab = ({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) => (
  <Radix.Trigger
    onFocus={selectOnlyFromList}
    className={classNames(
      '-mb-px h-11 shrink-0 border-b-2 border-transparent px-2.5 font-medium md:px-3 text-muted transition-colors md:h-9',
      'hover:text-fg focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-fg',
      className,
    )}
    {...rest}
  />
)

export const TabPanel = ({ className, ...rest }: ComponentProps<typeof Radix.Content>) => (
  <Radix.Content className={classNames('pt-4', className)} {...rest} />
)
