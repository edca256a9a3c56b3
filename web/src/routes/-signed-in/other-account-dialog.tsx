import type { User } from '#schemas/account.ts'
import { reloadDocument } from '#web/lib/session/leave-document.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'

type OtherAccountDialogProps = { user: User; open: boolean; onClose: () => void }

/** The browser's session now belongs to another account, so this tab is read-only. */
export const OtherAccountDialog = ({ user, open, onClose }: OtherAccountDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Another account has signed in"
    description={`This tab belongs to ${user.username}. Nothing can be loaded or saved here until it is reloaded as the account that is signed in now.`}
    modal="sticky"
  >
    <DialogActions>
      <Button onClick={onClose}>Not Now</Button>
      <Button variant="primary" onClick={reloadDocument}>
        Reload
      </Button>
    </DialogActions>
  </Dialog>
)
