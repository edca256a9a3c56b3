import { endPasswordQuestion } from '#web/lib/session/password-confirmation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ConfirmationForm } from './confirmation-form.tsx'

/** Asks for the password before a call that could take the account from its owner; the call then goes on by itself. */
export const ConfirmPasswordDialog = ({ open }: { open: boolean }) => (
  <Dialog
    open={open}
    onOpenChange={(next) => !next && endPasswordQuestion(false)}
    modal="sticky"
    title="Confirm that it’s you"
    description="This needs your password, because you signed in a while ago. Then it goes on by itself."
  >
    <ConfirmationForm onConfirmed={() => endPasswordQuestion(true)} onCancel={() => endPasswordQuestion(false)} />
  </Dialog>
)
