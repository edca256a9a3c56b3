import { provider } from '#schemas/product.ts'
import { clientBaseUrl } from '#web/lib/base-url.ts'
import { classNames } from '#web/lib/text/class-names.ts'

const change = [
  { sign: ' ', text: `import OpenAI from 'openai'` },
  { sign: ' ', text: '' },
  { sign: ' ', text: 'const client = new OpenAI({' },
  { sign: '-', text: `  apiKey: 'sk-…',` },
  { sign: '+', text: `  apiKey: 'st_…',` },
  { sign: '+', text: `  baseURL: '${clientBaseUrl()}',` },
  { sign: ' ', text: '})' },
]

const tint: Record<string, string> = { '+': 'bg-ok-soft text-ok', '-': 'bg-danger-soft text-danger' }

export const SdkChange = () => (
  <figure className="min-w-0 overflow-hidden rounded-panel border border-line bg-surface">
    <figcaption className="border-b border-line px-4 py-2 text-xs text-muted">
      Compatible with the {provider.name} SDKs: change the base URL
    </figcaption>
    <section tabIndex={0} aria-label="Example of the change" className="overflow-x-auto py-4">
      <pre translate="no" className="font-mono text-xs leading-6">
        {change.map(({ sign, text }) => (
          <code key={sign + text} className={classNames('block min-w-max px-4', tint[sign])}>
            {`${sign} ${text}`}
          </code>
        ))}
      </pre>
    </section>
  </figure>
)
