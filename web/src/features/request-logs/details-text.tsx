import { Link } from '@tanstack/react-router'
import { formatJson } from '#web/lib/format.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'

type DetailsTextProps = { label: string; text: string | null; isBody?: boolean }

/** One body or one set of headers; a body that is not kept says where to switch that on. */
export const DetailsText = ({ label, text, isBody = false }: DetailsTextProps) => (
  <section>
    <h3 className="mb-1.5 font-medium">{label}</h3>
    {text === null ? (
      <div className="rounded-control border border-dashed border-line p-4">
        <p className="font-mono">N/A</p>
        {isBody && (
          <p className="mt-1 text-muted">
            Bodies are not kept unless “Log request and response bodies” is on in{' '}
            <Link to={'/proxy-config' as string} className="text-accent underline underline-offset-2">
              Proxy Config
            </Link>
            .
          </p>
        )}
      </div>
    ) : (
      <CodeBlock label={label.toLowerCase()} code={formatJson(text)} />
    )}
  </section>
)
