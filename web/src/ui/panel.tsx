import type { ReactNode } from 'react'

export const Panel = ({ children }: { children: ReactNode }) => (
  <div className="overflow-hidden rounded-panel border border-line bg-surface">{children}</div>
)
