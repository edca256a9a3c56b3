import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'

export const newTokenTitles = {
  title: 'Your new secure token',
  description: 'Copy it now and keep it in a safe place.',
}

/** Content of a dialog that shows a token in full, once. */
export const NewToken = ({ token, onDone }: { token: string; onDone: () => void }) => (
  <div className="flex flex-col gap-4">
    <div className="flex items-center gap-2 rounded-control border border-line bg-bg py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 font-mono text-xs break-all select-all">{token}</code>
      <CopyButton text={token} label="Copy token" />
    </div>
    <Notice tone="warn">This token will not be shown again.</Notice>
    <DialogActions>
      <Button variant="primary" onClick={onDone}>
        Done
      </Button>
    </DialogActions>
  </div>
)
