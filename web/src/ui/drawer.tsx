import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { scrimStyle } from './dialog.tsx'
import { useReturnFocus } from './dialog-focus.ts'
import { useLayer } from './use-layer.ts'

type DrawerProps = { title: string; open: boolean; onOpenChange: (open: boolean) => void; children: ReactNode }

/** A side panel over the page, for screens without room beside their content. */
export const Drawer = ({ title, open, onOpenChange, children }: DrawerProps) => {
  const returnFocus = useReturnFocus()
  useLayer(open, () => onOpenChange(false))
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={scrimStyle} />
        <Dialog.Content
          {...returnFocus}
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-80 max-w-[85vw] flex-col border-r border-line bg-surface outline-none data-[state=closed]:animate-drawer-out data-[state=open]:animate-drawer-in"
        >
          <div className="flex items-center justify-between border-b border-line py-2 pr-2 pl-3">
            <Dialog.Title className="font-semibold">{title}</Dialog.Title>
            <Dialog.Close asChild>
              <Button variant="ghost" size="icon" aria-label="Close">
                <X />
              </Button>
            </Dialog.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
