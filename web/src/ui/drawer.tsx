import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from '#web/lib/text/class-names.ts'
import { IconButton } from './icon-button.tsx'
import { drawerStyle, Modal } from './modal.tsx'

type DrawerProps = { title: string; open: boolean; onClose: () => void; children: ReactNode }

/** A side panel over the page, for screens without room beside their content. */
export const Drawer = ({ title, open, onClose, children }: DrawerProps) => (
  <Modal
    open={open}
    onClose={onClose}
    aria-describedby={undefined}
    className={classNames(drawerStyle, 'flex w-80 flex-col')}
  >
    <div className="flex items-center justify-between border-b border-line py-2 pr-2 pl-3">
      <Dialog.Title className="font-semibold">{title}</Dialog.Title>
      <Dialog.Close asChild>
        <IconButton label="Close" icon={<X />} />
      </Dialog.Close>
    </div>
    <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
  </Modal>
)
