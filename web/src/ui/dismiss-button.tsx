/** Closes the surrounding notice, and moves the focus to the page. */
export const DismissButton = ({ onDismiss }: { onDismiss: () => void }) => (
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
