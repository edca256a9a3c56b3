import { docsSections } from './docs-section.tsx'

/** Links to the sections, beside the text where there is room. */
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
