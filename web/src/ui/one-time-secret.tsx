import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Notice } from './notice.tsx'

type OneTimeSecretProps = { secret: string; kind: 'key' | 'secret' | 'token'; onDone: () => void; children?: ReactNode }

/** Content of a dialog that shows a secret in full, once; `children`: what to do with it. */
export const OneTimeSecret = ({ secret, kind, onDone, children }: OneTimeSecretProps) => (
  <div className="flex flex-col gap-4">
    <div className="flex items-center gap-2 rounded-control border border-line bg-bg py-1 pr-1 pl-3">
      <code translate="no" className="min-w-0 flex-1 font-mono text-xs break-all select-all">
        {secret}
      </code>
      <CopyButton text={secret} label={`Copy ${kind}`} />
    </div>
    <Notice tone="warn">This {kind} will not be shown again.</Notice>
    {children}
    <DialogActions>
      {/* The second click of a double click on what was in its place would close the dialog. */}
      <Button variant="primary" onClick={({ detail }) => detail < 2 && onDone()}>
        Done
      </Button>
    </DialogActions>
  </div>
)

type Titles = { title: string; description: string }

type NewSecretDialogProps = Pick<OneTimeSecretProps, 'kind'> & {
  open: boolean
  onClose: () => void
  /** Titles of the form, and of the secret after it. */
  titles: { form: Titles; secret: Titles }
  /** The form; it calls `show` with the secret that it got. */
  children: (show: (secret: string) => void) => ReactNode
}

/** Asks what a new secret is for, then shows it once. */
export function NewSecretDialog({ open, onClose, kind, titles, children }: NewSecretDialogProps) {
  const [secret, show] = useState<string | null>(null)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      modal={secret === null ? 'dismissable' : 'sticky'}
      {...titles[secret === null ? 'form' : 'secret']}
    >
      {secret === null ? children(show) : <OneTimeSecret secret={secret} kind={kind} onDone={onClose} />}
    </Dialog>
  )
}
