import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { useExtraWideScreen } from '#web/lib/browser/media-query.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { useStored } from '#web/lib/browser/use-stored.ts'
import { Card } from '#web/ui/card.tsx'
import { Drawer } from '#web/ui/drawer.tsx'

/** Beside the content, the panel keeps its last state; as a drawer, it starts closed. */
export function useValuesPanel(screen: 'logs' | 'analytics') {
  const isBeside = useExtraWideScreen()
  const [isPanelOpen, setPanelOpen] = useStored(`sallyport.${screen}.values`, z.boolean(), false)
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  return isBeside
    ? { isBeside, isOpen: isPanelOpen, setOpen: setPanelOpen }
    : { isBeside, isOpen: isDrawerOpen, setOpen: setDrawerOpen }
}

type ValuesLayoutProps = {
  panel: ReturnType<typeof useValuesPanel>
  values: ReactNode
  /** Whether a panel is open on the other side: the values are then shown only where three columns fit. */
  isShared?: boolean
  children: ReactNode
}

const columns = {
  two: 'grid grid-cols-[15rem_minmax(0,1fr)] items-start gap-4',
  three: 'min-[106rem]:grid min-[106rem]:grid-cols-[15rem_minmax(0,1fr)] items-start gap-4',
}

/** The content, with the values of its requests beside it or in a drawer. */
export function ValuesLayout({ panel, values, isShared = false, children }: ValuesLayoutProps) {
  const { isBeside, isOpen, setOpen } = panel
  const isPanel = isBeside && isOpen
  return (
    <div className={classNames(isPanel && columns[isShared ? 'three' : 'two'])}>
      {isPanel && (
        <Card title="Values" className={classNames('print:hidden', isShared && 'max-[106rem]:hidden')}>
          {values}
        </Card>
      )}
      {!isBeside && (
        <Drawer title="Values" open={isOpen} onClose={() => setOpen(false)}>
          {values}
        </Drawer>
      )}
      {children}
    </div>
  )
}
