import type { ReactNode } from 'react'
import { Card } from '#web/ui/card.tsx'

/** Source: product.md 10.7. */
export const docsSections = [
  { id: 'overview', title: 'Overview' },
  { id: 'authentication', title: 'Authentication' },
  { id: 'endpoints', title: 'Available Endpoints' },
  { id: 'examples', title: 'Code Examples' },
  { id: 'testing', title: 'Interactive Testing' },
  { id: 'errors', title: 'Error Codes' },
  { id: 'limits', title: 'Rate Limits' },
  { id: 'practices', title: 'Best Practices' },
] as const

type DocsSectionProps = { id: (typeof docsSections)[number]['id']; children: ReactNode }

/** One titled section of the page, which a link can point to. */
export const DocsSection = ({ id, children }: DocsSectionProps) => (
  <div id={id} tabIndex={-1} className="scroll-mt-18 outline-none md:scroll-mt-8">
    <Card title={docsSections.find((section) => section.id === id)?.title ?? ''}>
      <div className="p-4">{children}</div>
    </Card>
  </div>
)
