import type { ReactNode } from 'react'
import { Card } from '#web/ui/card.tsx'

/** Source: product.md 10.7. */
const docsSections = [
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

/** A titled section that links can point to. */
export const DocsSection = ({ id, children }: DocsSectionProps) => (
  <div id={id} tabIndex={-1} className="scroll-mt-2 outline-none md:scroll-mt-8">
    <Card title={docsSections.find((section) => section.id === id)?.title ?? ''}>
      <div className="p-4">{children}</div>
    </Card>
  </div>
)

/** Links to the sections, on wide screens only. */
export const DocsContents = () => (
  <nav aria-label="On this page" className="hidden xl:sticky xl:top-8 xl:block">
    <p className="px-3 pb-1 text-xs font-medium text-muted">On this page</p>
    <ul>
      {docsSections.map(({ id, title }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className="flex h-8 items-center rounded-control px-3 text-muted hover:bg-subtle hover:text-fg"
          >
            {title}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)
