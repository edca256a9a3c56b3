import { visibleLine } from '#web/lib/text/visible-text.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'

/** Credentials are already redacted. */
export function HeaderList({ label, headers }: { label: string; headers: Record<string, string> | null }) {
  const entries = Object.entries(headers ?? {}).toSorted(([a], [b]) => a.localeCompare(b))
  return (
    <section>
      <div className="mb-1.5 flex h-8 items-center justify-between">
        <h3 className="font-medium">{label}</h3>
        {entries.length > 0 && <CopyButton text={JSON.stringify(headers, null, 2)} label={`Copy ${label}`} />}
      </div>
      {entries.length === 0 ? (
        <p className="rounded-control border border-dashed border-line p-4 font-mono">N/A</p>
      ) : (
        <dl translate="no" className="overflow-hidden rounded-control border border-line bg-bg font-mono text-xs">
          {entries.map(([name, value]) => (
            <div
              key={name}
              className="grid gap-x-4 border-b border-line px-3 py-1.5 last:border-b-0 @lg:grid-cols-[14rem_1fr]"
            >
              <dt className="break-all text-muted">{visibleLine(name)}</dt>
              <dd className="break-all">{visibleLine(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
