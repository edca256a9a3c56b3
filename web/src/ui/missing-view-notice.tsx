import { DismissButton } from './dismiss-button.tsx'
import { Notice } from './notice.tsx'

/** Shown while the URL names a view: opening an existing one removes it from the URL. */
export const MissingViewNotice = ({ id, onDismiss }: { id: string | undefined; onDismiss: () => void }) =>
  id && (
    <Notice tone="warn" title="This view does not exist">
      It was deleted, or belongs to another account. <DismissButton onDismiss={onDismiss} />
    </Notice>
  )
