import type { ReactNode } from 'react'

type LogRowButtonProps = { label: string; tabIndex: number; onClick: () => void; children: ReactNode }

/** Small enough for a dense row; the row itself is the larger target. */
export const LogRowButton = ({ label, tabIndex, onClick, children }: LogRowButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    tabIndex={tabIndex}
    onClick={(event) => {
      event.stopPropagation()
      onClick()
    }}
    className="inline-grid size-6.5 place-items-center rounded-control text-muted transition-colors hover:bg-subtle hover:text-fg [&_svg]:size-4"
  >
    {children}
  </button>
)
