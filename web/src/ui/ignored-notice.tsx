import { Notice } from './notice.tsx'

/** Names the ignored parameters of a link. */
export const IgnoredNotice = ({ names, onDismiss }: { names: readonly string[] | undefined; onDismiss: () => void }) =>
  names && (
    <Notice tone="warn" title="Part of this link could not be read">
      {names.join(', ')}: shown with the default instead.{' '}
      <button type="button" onClick={onDismiss} className="font-medium underline underline-offset-2">
        Dismiss
      </button>
    </Notice>
  )
