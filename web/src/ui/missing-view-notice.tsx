import { DismissButton } from './dismiss-button.tsx'
import { Notice } from './notice.tsx'

/** Shown while the address names a view: one that exists has been opened instead. */
export const MissingViewNotice = ({ id, onDismiss }: { id: string | undefined; onDismiss: () => void }) =>
  id && (
    <Notice tone="warn" title="This view does not exist">
      It was deleted, or belongs to another account. <DismissButton onDismiss={onDismiss} />
    </Notice>
  )
