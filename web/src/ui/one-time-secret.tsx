import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { DialogActions } from './dialog.tsx'
import { Notice } from './notice.tsx'

type OneTimeSecretProps = { secret: string; kind: 'key' | 'secret' | 'token'; onDone: () => void; children?: ReactNode }

/** Content of a dialog that shows a secret in full, once; `children`: what to do with it. */
export const OneTimeSecret = ({ secret, kind, onDone, children }: OneTimeSecretProps) => (
  <div className="flex flex-col gap-4">
    <div className="flex items-center gap-2 rounded-control border border-line bg-bg py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 font-mono text-xs break-all select-all">{secret}</code>
      <CopyButton text={secret} label={`Copy ${kind}`} />
    </div>
    <Notice tone="warn">This {kind} will not be shown again.</Notice>
    {children}
    <DialogActions>
      <Button variant="primary" onClick={onDone}>
        Done
      </Button>
    </DialogActions>
  </div>
)
