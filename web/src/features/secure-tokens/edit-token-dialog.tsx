import type { SecureToken } from '#schemas/secure-tokens.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { EditTokenForm } from './edit-token-form.tsx'

type EditTokenDialogProps = { token: SecureToken; open: boolean; onClose: () => void }

export const EditTokenDialog = ({ token, open, onClose }: EditTokenDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={(next) => !next && onClose()}
    title="Edit Secure Token"
    description="A change takes effect at once; the token itself stays the same."
  >
    <EditTokenForm token={token} onDone={onClose} />
  </Dialog>
)
