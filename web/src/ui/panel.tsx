import type { ReactNode } from 'react'

/** A bordered surface without a title of its own. */
export const Panel = ({ children }: { children: ReactNode }) => (
  <div className="overflow-hidden rounded-panel border border-line bg-surface">{children}</div>
)
