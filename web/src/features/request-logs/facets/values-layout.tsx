import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { useExtraWideScreen } from '#web/lib/browser/media-query.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { useStored } from '#web/lib/browser/use-stored.ts'
import { Card } from '#web/ui/card.tsx'
import { Drawer } from '#web/ui/drawer.tsx'

/** Beside the list, the panel is as it was left; as a drawer, it begins closed. */
export function useValuesPanel() {
  const isBeside = useExtraWideScreen()
  const [isPanelOpen, setPanelOpen] = useStored('sallyport.logs.values', z.boolean(), false)
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  return isBeside
    ? { isBeside, isOpen: isPanelOpen, setOpen: setPanelOpen }
    : { isBeside, isOpen: isDrawerOpen, setOpen: setDrawerOpen }
}

type ValuesLayoutProps = { panel: ReturnType<typeof useValuesPanel>; values: ReactNode; children: ReactNode }

/** The list, with the values of its requests beside it or in a drawer. */
export function ValuesLayout({ panel: { isBeside, isOpen, setOpen }, values, children }: ValuesLayoutProps) {
  const isPanel = isBeside && isOpen
  return (
    <div className={classNames(isPanel && 'grid grid-cols-[15rem_minmax(0,1fr)] items-start gap-4')}>
      {isPanel && <Card title="Values">{values}</Card>}
      {!isBeside && (
        <Drawer title="Values" open={isOpen} onClose={() => setOpen(false)}>
          {values}
        </Drawer>
      )}
      {children}
    </div>
  )
}
