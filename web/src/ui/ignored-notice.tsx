import { DismissButton } from './dismiss-button.tsx'
import { Notice } from './notice.tsx'

export const IgnoredNotice = ({ names, onDismiss }: { names: readonly string[] | undefined; onDismiss: () => void }) =>
  names && (
    <Notice tone="warn" title="Part of this link could not be read">
      {names.join(', ')}: shown with the default instead. <DismissButton onDismiss={onDismiss} />
    </Notice>
  )
