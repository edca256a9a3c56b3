import type { User } from '#schemas/account.ts'
import { reloadDocument } from '#web/lib/session/leave-document.ts'
import { browserSession } from '#web/lib/session/tab-account.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'

const dismiss = () => browserSession.write('dismissed')

/** The browser's session now belongs to another account, so this tab is read-only. */
export const OtherAccountDialog = ({ user, open }: { user: User; open: boolean }) => (
  <Dialog
    open={open}
    onClose={dismiss}
    title="Another account has signed in"
    description={`This tab belongs to ${user.username}. Nothing can be loaded or saved here until it is reloaded as the account that is signed in now.`}
    modal="sticky"
  >
    <DialogActions>
      <Button onClick={dismiss}>Not Now</Button>
      <Button variant="primary" onClick={reloadDocument}>
        Reload
      </Button>
    </DialogActions>
  </Dialog>
)
