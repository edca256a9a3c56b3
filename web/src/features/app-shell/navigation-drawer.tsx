import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { User } from '#schemas/account.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { drawerStyle, Modal } from '#web/ui/modal.tsx'
import { Sidebar } from './sidebar.tsx'

// By default, the focus would skip the links and go to the theme toggle in the footer.
function focusCurrentLink(event: Event) {
  const drawer = event.currentTarget
  if (!(drawer instanceof HTMLElement)) return
  event.preventDefault()
  const link = drawer.querySelector<HTMLElement>('[aria-current=page]')
  ;(link ?? drawer).focus()
}

type NavigationDrawerProps = { user: User; open: boolean; onClose: () => void }

/** Opened by the menu button of small screens. */
export const NavigationDrawer = ({ user, open, onClose }: NavigationDrawerProps) => (
  <Modal
    open={open}
    onClose={onClose}
    aria-describedby={undefined}
    onOpenAutoFocus={focusCurrentLink}
    className={classNames(drawerStyle, 'w-72')}
  >
    <Dialog.Title className="sr-only">Menu</Dialog.Title>
    <Sidebar user={user} onNavigate={onClose} />
    <Dialog.Close asChild>
      <IconButton label="Close menu" icon={<X />} className="absolute top-2.5 right-2" />
    </Dialog.Close>
  </Modal>
)
