import type { User } from '#schemas/account.ts'
import { reloadDocument } from '#web/lib/session/session.ts'
import { otherAccount } from '#web/lib/session/tab-account.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'

/** The browser's session is another account's now: this tab can only be looked at. */
export const OtherAccountDialog = ({ user }: { user: User }) => (
  <Dialog
    open
    onOpenChange={(open) => !open && otherAccount.dismiss()}
    title="Another account has signed in"
    description={`This tab belongs to ${user.username}. Nothing can be loaded or saved here until it is reloaded as the account that is signed in now.`}
    modal="sticky"
  >
    <DialogActions>
      <Button onClick={otherAccount.dismiss}>Not Now</Button>
      <Button variant="primary" onClick={reloadDocument}>
        Reload
      </Button>
    </DialogActions>
  </Dialog>
)
