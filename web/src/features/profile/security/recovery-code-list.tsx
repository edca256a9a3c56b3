import { Download } from 'lucide-react'
import { product } from '#schemas/product.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Shown once: the server keeps no copy that can be read. */
export function RecoveryCodeList({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warn">Keep these codes where you find them again. They will not be shown again.</Notice>
      <div className="relative rounded-control border border-line bg-bg p-4">
        <ul className="grid grid-cols-2 gap-x-6 gap-y-1.5 font-mono">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton text={text} label="Copy the recovery codes" className="absolute top-1 right-1" />
      </div>
      <DialogActions>
        <Button onClick={() => saveFile(`${product.name.toLowerCase()}-recovery-codes.txt`, 'text/plain', text)}>
          <Download />
          Download
        </Button>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </div>
  )
}
