import { Notice } from './notice.tsx'

type NoticeProps = { onDismiss: () => void }

/** Shown when some of a link's parameters are not valid. @param names of those parameters */
export const IgnoredNotice = ({ names, onDismiss }: NoticeProps & { names: readonly string[] | undefined }) =>
  names && (
    <Notice tone="warn" title="Part of this link could not be read">
      {names.join(', ')}: shown with the default instead. <DismissButton onDismiss={onDismiss} />
    </Notice>
  )

/** Shown while the URL names a view: opening an existing one removes it from the URL. */
export const MissingViewNotice = ({ id, onDismiss }: NoticeProps & { id: string | undefined }) =>
  id && (
    <Notice tone="warn" title="This view does not exist">
      It was deleted, or belongs to another account. <DismissButton onDismiss={onDismiss} />
    </Notice>
  )

/** The focused button disappears with its notice. */
const DismissButton = ({ onDismiss }: NoticeProps) => (
  <button
    type="button"
    onClick={() => {
      document.getElementById('main')?.focus()
      onDismiss()
    }}
    className="font-medium underline underline-offset-2"
  >
    Dismiss
  </button>
)
